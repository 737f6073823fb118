// Where bytes come from and where they go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <hwacha/bytes.hpp>

namespace hwacha::crypt {

class source {
  public:
    virtual ~source() = default;
    // Fills the start of `room`, which is not empty, with at least one byte; 0 at the end. Throws system_failure, or
    // file_fault where bytes are decoded.
    virtual std::size_t read(bytes_span room) = 0;
    // A source that has its bytes in memory hands out the next ones, at most `most`, in place of read; empty at the
    // end. They stay valid.
    [[nodiscard]] virtual bool lends() const noexcept { return false; }
    virtual bytes_view lend(std::size_t) { return {}; }
    // From another thread: a read that waits, and all later ones, end soon, in whatever way.
    virtual void interrupt() noexcept {}
};

// Less than `room` only at the end.
std::size_t read_fully(source& from, bytes_span room);

class sink {
  public:
    virtual ~sink() = default;
    // All of it. Throws system_failure.
    virtual void write(bytes_view bytes) = 0;
    // A sink that is memory hands out the place of the next `size` bytes, in place of write.
    [[nodiscard]] virtual bool lends() const noexcept { return false; }
    virtual bytes_span lend(std::size_t) { return {}; }
};

class memory_source final : public source {
  public:
    explicit memory_source(bytes_view bytes) noexcept : rest_(bytes) {}
    std::size_t read(bytes_span room) override;
    [[nodiscard]] bool lends() const noexcept override { return true; }
    bytes_view lend(std::size_t most) override;

  private:
    bytes_view rest_;
};

// Throws std::length_error if there is not enough room.
class memory_sink final : public sink {
  public:
    explicit memory_sink(bytes_span room) noexcept : rest_(room) {}
    void write(bytes_view bytes) override;
    [[nodiscard]] bool lends() const noexcept override { return true; }
    bytes_span lend(std::size_t size) override;

  private:
    bytes_span rest_;
};

// `first` again, then the rest of `from`.
class rewound_source final : public source {
  public:
    rewound_source(std::vector<std::byte> first, source& from) noexcept : first_(std::move(first)), from_(from) {}
    std::size_t read(bytes_span room) override;
    void interrupt() noexcept override { from_.interrupt(); }

  private:
    std::vector<std::byte> first_;
    std::size_t used_ = 0;
    source& from_;
};

// Counts what it passes on.
class counting_source final : public source {
  public:
    explicit counting_source(source& from) noexcept : from_(from) {}
    void interrupt() noexcept override { from_.interrupt(); }
    std::size_t read(bytes_span room) override {
        const std::size_t size = from_.read(room);
        count_ += size;
        return size;
    }
    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  private:
    source& from_;
    std::uint64_t count_ = 0;
};

}  // namespace hwacha::crypt
