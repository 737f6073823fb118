// The files below a folder, in the order of their names' bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace hwacha::tool {

struct file_item;

// A descriptor, closed in the end.
class descriptor {
  public:
    explicit descriptor(int number = -1) noexcept : number_(number) {}
    descriptor(descriptor&& other) noexcept : number_(other.release()) {}
    descriptor& operator=(descriptor&& other) noexcept {
        reset(other.release());
        return *this;
    }
    ~descriptor() { reset(); }

    [[nodiscard]] int get() const noexcept { return number_; }
    explicit operator bool() const noexcept { return number_ >= 0; }
    int release() noexcept {
        const int number = number_;
        number_ = -1;
        return number;
    }
    void reset(int number = -1) noexcept;

  private:
    int number_;
};

// open and openat, gone on with after signals. Never a controlling terminal, never passed on to other programs.
descriptor open_at(int base, const char* name, int flags) noexcept;

// A folder below the one that a walk began with.
struct folder {
    std::string path;       // no slash at the end, but for the root folder
    std::size_t root_size;  // of the part that names where the walk began

    // No symbolic link is followed on the way down from there: what was a folder during the walk is not left because
    // somebody puts a link in its place. An empty descriptor and errno if it fails. Descriptors needed: two.
    [[nodiscard]] descriptor open(int flags) const noexcept;
};

// Regular files only: symbolic links, devices, FIFOs and sockets are passed over, as grep -r does. Files are in the
// order in which LC_ALL=C sort puts their paths. Memory: names of one folder for each level of depth, all of them.
// No descriptor stays open between calls.
class tree_walk {
  public:
    // `root` itself may be a symbolic link.
    explicit tree_walk(std::string root);

    // Appends files, and messages where a folder cannot be read, until there are `most` items. False: no more.
    bool next(std::vector<file_item>& items, std::size_t most);

  private:
    struct level {
        std::shared_ptr<const tool::folder> folder;
        dev_t device;
        ino_t number;
        std::string names;               // null-terminated each; folders end in a slash
        std::vector<std::size_t> order;  // offsets in `names`
        std::size_t next = 0;
    };
    void enter(std::vector<file_item>& items);
    void read_names(descriptor d, level& l, std::vector<file_item>& items);

    std::string path_;  // of the folder that is read, and from there down to the one that is entered next
    std::size_t root_size_;
    std::vector<level> levels_;
    bool begun_ = false;
};

}  // namespace hwacha::tool
