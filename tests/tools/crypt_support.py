"""What the tests of `hwacha encrypt`, `decrypt`, `inspect` and `keygen` share."""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "format"))

import hwacha_format as f  # noqa: E402
import make_files  # noqa: E402

DONE, UNVERIFIED, USAGE, INPUT_OUTPUT = 0, 1, 2, 3
FILES = make_files.FILES
ROWS = json.loads((FILES / "manifest.json").read_text(encoding="ascii"))["files"]
KEY, OTHER_KEY = make_files.KEY, make_files.OTHER_KEY
PASSPHRASE = make_files.PASSPHRASE
FULL = os.environ.get("HWACHA_TEST_SCALE") == "full"
SANITIZED = bool(os.environ.get("HWACHA_SANITIZED"))
UNPRIVILEGED = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all"]

tool = ""


def count(by_default, full):
    """How often, at this scale."""
    return full if FULL else by_default


def noise(size, seed=0):
    return random.Random(seed).randbytes(size)


def environment(more=None):
    kept = {k: v for k, v in os.environ.items() if k != "HWACHA_CPU"}
    return {**kept, **(more or {})}


class CryptTest(unittest.TestCase):
    """A folder of its own with the key in `key` and another in `other.key`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.prefix = []
        self.write("key", f.encode_key(KEY))
        self.write("other.key", f.encode_key(OTHER_KEY))
        for name in ("key", "other.key"):
            os.chmod(self.folder / name, 0o600)

    def write(self, name, content=b""):
        (self.folder / name).write_bytes(content)
        return name

    def read(self, name):
        return (self.folder / name).read_bytes()

    def names(self):
        return {path.name for path in self.folder.iterdir()}

    def drop_rights(self):
        """Modes are no obstacle to root. False: there is no way to be somebody else."""
        if os.geteuid() != 0:
            return True
        if not shutil.which("setpriv"):
            return False
        for path in (self.folder, *self.folder.iterdir()):
            os.chown(path, 65534, 65534)
        self.prefix = UNPRIVILEGED
        return subprocess.run([*self.prefix, tool, "--version"], capture_output=True, check=False).returncode == 0

    def command(self, *args):
        return [*self.prefix, tool, *map(os.fspath, args)]

    def run_tool(self, *args, stdin=b"", env=None, **more):
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        if "stdin" not in streams and not isinstance(stdin, bytes):
            streams["stdin"] = stdin
        else:
            streams["input"] = stdin
        return subprocess.run(
            self.command(*args), cwd=self.folder, env=environment(env), timeout=300, check=False, **streams
        )

    def start(self, *args, env=None, **more):
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        process = subprocess.Popen(self.command(*args), cwd=self.folder, env=environment(env), **streams)
        self.addCleanup(self.finish, process)
        return process

    @staticmethod
    def finish(process):
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass

    def expect(self, status, *args, **more):
        done = self.run_tool(*args, **more)
        error = (done.stderr or b"")[:2000]
        self.assertEqual(done.returncode, status, (args, error))
        if status == DONE:
            self.assertEqual(error, b"", args)
        elif done.stderr is not None:
            self.assertTrue(error.startswith(b"hwacha"), (args, error))
            self.assertTrue(error.endswith(b"\n"), (args, error))
        return done

    def with_passphrase(self, passphrase=PASSPHRASE):
        """Arguments and keyword arguments by which a run takes the passphrase from a descriptor."""
        reading, writing = os.pipe()
        passphrase = passphrase.encode() if isinstance(passphrase, str) else passphrase
        os.write(writing, passphrase)
        os.close(writing)
        self.addCleanup(os.close, reading)
        return ["--passphrase-fd", str(reading)], {"pass_fds": (reading,)}

    def encrypted(self, text, *args):
        """What the tool makes of the text with the key."""
        return self.expect(DONE, "encrypt", "-k", "key", *args, stdin=text).stdout

    def decrypted(self, data, *args):
        return self.expect(DONE, "decrypt", "-k", "key", *args, stdin=data).stdout


def made_by_python(text, log2=12, label="test", comment=b"", passphrase=None):
    """A file for the key, and perhaps a passphrase, that the tool has not made."""
    randomness = f.Randomness(label)

    def slots(file_key):
        made = [f.write_key_slot(file_key, KEY, randomness(32))]
        if passphrase:
            made.append(f.write_passphrase_slot(file_key, passphrase.encode(), randomness(32)))
        return made

    return f.encode(text, slots, randomness, comment=comment, log2=log2)


def chunks_of(data):
    """The header of an encrypted file and its chunks."""
    header = f.read_header(data)
    size = len(header.raw)
    return header.raw, f.cut(data[size:], header.chunk + f.TAG)


def main():
    global tool
    tool = os.path.abspath(sys.argv.pop(1))
    unittest.main(module="__main__")
