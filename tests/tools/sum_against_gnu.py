#!/usr/bin/env python3
"""Runs GNU sha256sum and `hwacha sum` with the same arguments in equal scratch folders and compares them.

    sum_against_gnu.py TOOL              compare with the recorded results, and with sha256sum where it is 9.1
    sum_against_gnu.py TOOL --record     run sha256sum 9.1 and write the results to gnu_9_1.json
    sum_against_gnu.py TOOL --filter RE  only the cases whose name matches; -v shows them all

Compared are standard output to the byte (digests and algorithm names replaced by what they stand for), the exit status,
and whether there was anything on standard error. Its words are this project's own.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

JUDGE_VERSION = "sha256sum (GNU coreutils) 9.1"
RECORD = Path(__file__).with_name("gnu_9_1.json")

CONTENTS = {
    "abc": b"abc",
    "b": b"b",
    "empty": b"",
    "crlf": b"\r\n\x1a\r\n",
    "big": bytes(i % 251 for i in range(300000)),
}

ODD_NAMES = [
    b" lead",
    b"trail ",
    b"*star",
    b"-b",
    b"--tag",
    b"x\ny",
    b"x\\y",
    b"x\ry",
    b"\\q",
    b"x\\ny",
    b"x)y",
    b"x) = y",
    b"(a",
    b"((a)",
    b"bad\xff",
    "\ud55c\uae00".encode(),
    b"#hash",
    b"tab\tname",
    b"\x1b[31m",
    b"end\r",
    b"end\\",
    b"\n",
    b"a b",
    b"all\\three\rin\none",
    b"'quoted'",
    b'"',
    b"$HOME",
    b"-",
]


class Judged:
    """A program that prints digests, and what its digests are called."""

    def __init__(self, command, tag, digest):
        self.command, self.tag, self._digest, self._known = command, tag, digest, {}

    def digest(self, content):
        if content not in self._known:
            self._known[content] = self._digest(content)
        return self._known[content]

    def render(self, template):
        """<abc> is the digest of CONTENTS["abc"]; <abc|upper>, <abc|cut2>, <abc|add2> are variants, <TAG> is it."""

        def value(match):
            name, change = match.group(1).decode(), (match.group(2) or b"").decode()
            if name == "TAG":
                return self.tag.encode()
            digest = self.digest(CONTENTS[name])
            if change.startswith("cut"):
                digest = digest[: -int(change[3:])]
            elif change.startswith("add"):
                digest += "0" * int(change[3:])
            elif change == "upper":
                digest = digest.upper()
            return digest.encode()

        return re.sub(rb"<(TAG|abc|b|empty|big|crlf)(?:\|(\w+))?>", value, template)

    def normalise(self, text, files):
        labels = {self.digest(content): f"<{name}>" for name, content in {**files, **CONTENTS}.items()}
        text = re.sub(rb"[0-9a-f]{64}", lambda m: labels.get(m.group().decode(), m.group().decode()).encode(), text)
        return re.sub(rb"(^|\n|\0)(\\?)" + re.escape(self.tag.encode()) + rb" \(", rb"\1\2<TAG> (", text)


class Case:
    def __init__(
        self,
        name,
        args=(),
        *,
        files=None,
        stdin=b"",
        out="pipe",
        err="pipe",
        env=None,
        shell=None,
        links=None,
        nobody=False,
        own_text=False,
    ):
        self.name, self.args, self.files, self.stdin = name, list(args), files or {}, stdin
        self.out, self.err, self.env, self.shell = out, err, env or {}, shell
        self.links, self.nobody = links or {}, nobody
        self.own_text = own_text  # --help, --version: only whether there is any

    def run(self, judged, scratch):
        contents = {}
        for name, template in {"a": b"abc", "b": b"b", "e": b"", "big": CONTENTS["big"], **self.files}.items():
            content = template(judged) if callable(template) else judged.render(template)
            name = name if isinstance(name, bytes) else name.encode()
            (scratch / os.fsdecode(name)).write_bytes(content)
            contents[f"content of {name!r}"] = content
        (scratch / "d").mkdir()
        for name, target in self.links.items():
            os.symlink(target, scratch / name)
        command = judged.command + self.args
        if self.shell:
            command = [
                "bash",
                "-c",
                'sum() { "${program[@]}" "$@"; }; program=("$@"); ' + self.shell,
                "case",
            ] + judged.command
        if self.nobody:
            os.chmod(scratch, 0o755)
            (scratch / "secret").write_bytes(b"abc")
            os.chmod(scratch / "secret", 0)
            if os.geteuid() == 0:
                command = UNPRIVILEGED + command

        stdin = judged.render(self.stdin) if isinstance(self.stdin, bytes) else None
        contents["standard input"] = stdin or b""

        def prepare():
            if self.stdin == "closed":
                os.close(0)
            if self.out == "closed":
                os.close(1)
            if self.err == "closed":
                os.close(2)
            if self.out == "broken, ignored":
                signal.signal(signal.SIGPIPE, signal.SIG_IGN)

        opened = []

        def stream(kind):
            if kind == "full":
                opened.append(os.open("/dev/full", os.O_WRONLY))
                return opened[-1]
            if kind.startswith("broken"):
                reader, writer = os.pipe()
                os.close(reader)
                opened.append(writer)
                return writer
            return subprocess.PIPE if kind == "pipe" else subprocess.DEVNULL

        redirected = {}
        if stdin is not None:
            redirected["input"] = stdin
        elif self.stdin == "closed":
            redirected["stdin"] = subprocess.DEVNULL
        else:
            opened.append(os.open(scratch / self.stdin, os.O_RDONLY))
            redirected["stdin"] = opened[-1]
        try:
            done = subprocess.run(
                command,
                cwd=scratch,
                env={**BASE_ENVIRONMENT, **self.env},
                preexec_fn=prepare,
                timeout=120,
                stdout=stream(self.out),
                stderr=stream(self.err),
                **redirected,
            )
        finally:
            for descriptor in opened:
                os.close(descriptor)
        text = judged.normalise(done.stdout or b"", contents)
        if self.own_text:
            text = b"<some text>" if text else b""
        shown = (
            text.decode("latin-1")
            if len(text) <= 4096
            else f"{len(text)} bytes, SHA-256 {hashlib.sha256(text).hexdigest()}"
        )
        return {"status": done.returncode, "stdout": shown, "stderr": bool(done.stderr)}


BASE_ENVIRONMENT = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C"}
UNPRIVILEGED = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all"]


def print_cases():
    odd = {name: b"abc" for name in ODD_NAMES}
    for options in [[], ["-b"], ["-t"], ["--tag"], ["-z"], ["-z", "--tag"], ["-bz"], ["--tag", "-b"]]:
        label = " ".join(options) or "plain"
        yield Case(
            f"print/odd names/{label}", options + ["--"] + [os.fsdecode(n) for n in ODD_NAMES if n != b"-"], files=odd
        )
        yield Case(f"print/several/{label}", options + ["a", "b", "e", "big"])
        yield Case(f"print/stdin/{label}", options, stdin=b"abc")
        yield Case(f"print/dash/{label}", options + ["-", "a", "-"], stdin=b"abc")
        yield Case(f"print/errors between/{label}", options + ["d", "a", "absent", "", "b"])
    yield Case("print/odd missing names", [os.fsdecode(n) for n in ODD_NAMES if not n.startswith(b"-")])
    yield Case("print/same file twice", ["a", "a"])
    yield Case("print/path forms", ["./a", ".//a", "d/../a", "d/", "a/", "d/absent", "absent/a"])
    yield Case("print/file called -", ["./-", "-"], files={"-": b"b"}, stdin=b"abc")
    yield Case("print/too long a name", ["n" * 300, "p/" * 3000, "a"])
    yield Case(
        "print/symbolic links",
        ["good", "loop", "dangling", "todir"],
        links={"good": "a", "loop": "loop", "dangling": "absent", "todir": "d"},
    )
    yield Case("print/no newline translation", ["t"], files={"t": CONTENTS["crlf"]})
    yield Case("print/no newline translation of stdin", [], stdin=CONTENTS["crlf"])
    yield Case("print/null device", ["/dev/null"])
    yield Case(
        "print/B99 proc",
        shell="sum - </proc/version >o1; sum /proc/version >o2; cut -c1-64 o1 | cmp - <(cut -c1-64 o2)",
    )
    yield Case(
        "print/B99 sys",
        shell="f=/sys/devices/system/cpu/online; sum - <$f >o1; sum $f >o2; cut -c1-64 o1 | cmp - " "<(cut -c1-64 o2)",
    )
    yield Case("print/B99 proc has a content", shell='[ "$(sum </proc/version)" != "$(sum </dev/null)" ] && echo yes')
    yield Case(
        "print/B99 process substitution",
        shell='sum <(printf abc) | sed "s| .*||"; sum <(printf abc) <(printf b) | wc -l',
    )
    yield Case("print/B99 fifo", shell="mkfifo f; printf abc >f & sum f; wait")
    yield Case("print/B99 fifo in two pieces", shell="mkfifo f; { printf a; sleep 0.1; printf bc; } >f & sum f; wait")
    yield Case("print/B99 slow pipe", shell="{ printf a; sleep 0.1; printf bc; } | sum")
    yield Case("print/dev stdin", ["/dev/stdin"], stdin=b"abc")
    yield Case("print/dev stdin from a file", ["/dev/stdin", "-"], stdin="a")
    yield Case("print/stdin from the middle of a file", shell="{ read -r -N1 x; sum; } <a >o; grep -c . o")
    yield Case("print/stdin is a directory", ["-", "a"], stdin="d")
    yield Case("print/B97 unreadable between others", ["d", "a", "secret", "absent", "b"], nobody=True)
    yield Case("print/B101 closed stdin", [], stdin="closed")
    yield Case("print/B101 closed stdin, others go on", ["a", "-", "b"], stdin="closed")
    yield Case("print/B101 closed stdin, not needed", ["a"], stdin="closed")
    yield Case("print/B101 many files to head", shell="sum a a a a a a a a a a | head -n 1")
    for out in ["closed", "full", "broken", "broken, ignored"]:
        yield Case(f"print/B101 stdout {out}", ["a", "b"], out=out)
        yield Case(f"print/B101 stdout {out}, nothing to print", ["absent"], out=out)
    yield Case("print/stdout and stdin closed", ["a"], out="closed", stdin="closed")
    yield Case("print/stderr closed, no message", ["a"], err="closed")
    yield Case("print/stderr closed, a message", ["a", "absent", "b"], err="closed")
    yield Case("print/stderr full, a message", ["a", "absent", "b"], err="full")
    yield Case("print/all closed", ["a"], stdin="closed", out="closed", err="closed")


LIST = b"<abc>  a\n<abc>  b\n<abc>  absent\nnot a checksum\n"
SHORT = ["-b", "-t", "-c", "-z", "--tag", "--quiet", "--status", "--strict", "--ignore-missing", "-w"]
LONG = [
    "binary",
    "check",
    "ignore-missing",
    "quiet",
    "status",
    "strict",
    "tag",
    "text",
    "warn",
    "zero",
    "help",
    "version",
]


def option_cases():
    for one in SHORT:
        yield Case(f"options/{one}", [one, "list"], files={"list": LIST})
        for two in SHORT:
            yield Case(f"options/{one} {two}", [one, two, "list"], files={"list": LIST})
    modes = ["--quiet", "--status", "--strict", "--ignore-missing", "-w"]
    for one in modes:
        for two in modes:
            yield Case(f"options/-c {one} {two}", ["-c", one, two, "list"], files={"list": LIST})
            yield Case(
                f"options/-c {one} {two}, all well but a bad line",
                ["-c", one, two, "list"],
                files={"list": b"<abc>  a\nbad\n"},
            )
            yield Case(
                f"options/-c {one} {two}, nothing there", ["-c", one, two, "list"], files={"list": b"<abc>  absent\n"}
            )
    for short in sorted({name[:size] for name in LONG for size in range(1, len(name) + 1)}):
        own = "help".startswith(short) or "version".startswith(short)
        yield Case(f"options/abbreviation --{short}", [f"--{short}", "a"], own_text=own)
        yield Case(
            f"options/abbreviation --{short} after -c", ["-c", f"--{short}", "list"], own_text=own, files={"list": LIST}
        )
    yield from (
        Case(f"options/{' '.join(args)}", args, stdin=b"abc", own_text=own)
        for args, own in [
            (["-bt", "a"], False),
            (["-tb", "a"], False),
            (["-bbb", "a"], False),
            (["-cw", "a"], False),
            (["-bq", "a"], False),
            (["-q"], False),
            (["-b-", "a"], False),
            (["-h"], False),
            (["-v"], False),
            (["--"], False),
            (["--", "-"], False),
            (["--bogus", "a"], False),
            (["--tag=1", "a"], False),
            (["--tag=", "a"], False),
            (["--check=yes", "a"], False),
            (["--binar=", "a"], False),
            (["--binarys", "a"], False),
            (["--TAG", "a"], False),
            (["---tag", "a"], False),
            (["--=", "a"], False),
            (["-\xe9"], False),
            (["--status=1", "-c", "a"], False),
            (["--h=1"], False),
            (["a", "-b", "b"], False),
            (["a", "--tag", "b"], False),
            (["a", "--", "-b"], False),
            (["-b", "--", "a", "--tag"], False),
            (["a", "-z"], False),
            (["a", "--bogus"], False),
            (["a", "--help"], True),
            (["a", "--version"], True),
            (["--help", "--bogus"], True),
            (["--bogus", "--help"], False),
            (["--tag", "-c", "--version"], True),
            (["--version", "--help"], True),
            (["-", "-b"], False),
            (["--text", "--tag", "a"], False),
            (["--tag", "--text", "a"], False),
            (["--tag", "-tb", "a"], False),
            (["--tag", "-bt", "a"], False),
            (["-t", "--tag", "-t", "a"], False),
            (["--tag", "--tag", "a"], False),
            (["-zz", "a"], False),
            (["--tag", "-z", "-t", "a"], False),
            (["-c", "-c", "absent"], False),
            (["info"], False),
            (["sum", "a"], False),
        ]
    )
    for args in (["a", "-b", "b"], ["-b", "a", "--tag"], ["--tag", "a"], ["a", "--", "b"], ["a", "--help"]):
        yield Case(f"options/POSIXLY_CORRECT {' '.join(args)}", args, env={"POSIXLY_CORRECT": "1"})
    for option in ("--help", "--version"):
        for out in ("closed", "full", "broken"):
            yield Case(f"options/{option} stdout {out}", [option], out=out)


# One list each. Those marked with + are followed by a line that is right.
LINES = {
    "two spaces": b"<abc>  a\n",
    "star": b"<abc> *a\n",
    "no newline at the end": b"<abc>  a",
    "upper case": b"<abc|upper>  a\n",
    "wrong digest": b"<b>  a\n",
    "name of blanks": b"<abc>    \n",
    "leading blank of the name": b"<abc>   lead\n",
    "trailing blank of the name": b"<abc>  trail \n",
    "star in the name": b"<abc> **star\n",
    "star taken as marker": b"<abc> *star\n",
    "one space +": b"<abc> a\n",
    "one tab": b"<abc>\ta\n",
    "tab and space": b"<abc>\t a\n",
    "space and tab": b"<abc> \ta\n",
    "two tabs": b"<abc>\t\ta\n",
    "B95 digest and one space +": b"<abc> \n",
    "B95 digest and two spaces +": b"<abc>  \n",
    "digest, space, star +": b"<abc> *\n",
    "digest and three spaces": b"<abc>   \n",
    "B95 digest alone +": b"<abc>\n",
    "digest and a letter +": b"<abc>x  a\n",
    "leading blanks": b" \t <abc>  a\n",
    "B93 one digit short +": b"<abc|cut1>  a\n",
    "B93 one byte short +": b"<abc|cut2>  a\n",
    "B93 one digit long +": b"<abc|add1>  a\n",
    "B93 one byte long +": b"<abc|add2>  a\n",
    "B93 128 digits +": b"<abc|add64>  a\n",
    "B93 empty digest +": b"  a\n",
    "tag": b"<TAG> (a) = <abc>\n",
    "tag, upper case digest": b"<TAG> (a) = <abc|upper>\n",
    "tag, wrong digest": b"<TAG> (a) = <b>\n",
    "tag, no blanks": b"<TAG>(a)=<abc>\n",
    "tag, blank before =": b"<TAG>(a)\t =<abc>\n",
    "tag, blanks after =": b"<TAG> (a) = \t <abc>\n",
    "tag, leading blanks": b"\t <TAG> (a) = <abc>\n",
    "tag, two blanks +": b"<TAG>  (a) = <abc>\n",
    "tag, tab +": b"<TAG>\t(a) = <abc>\n",
    "tag, something after +": b"<TAG> (a) = <abc> \n",
    "tag, two equals signs +": b"<TAG> (a) == <abc>\n",
    "tag, no equals sign +": b"<TAG> (a) <abc>\n",
    "tag, text before = +": b"<TAG> (a) x = <abc>\n",
    "tag, not closed +": b"<TAG> (a = <abc>\n",
    "tag, not opened +": b"<TAG> a) = <abc>\n",
    "tag, closed after the digest +": b"<TAG> (a = <abc>)\n",
    "tag, empty name +": b"<TAG> () = <abc>\n",
    "B95 tag, two opening +": b"<TAG> ((a) = <abc>\n",
    "B95 tag, two of both +": b"<TAG> ((a)) = <abc>\n",
    "tag, closing in the name": b"<TAG> (x)y) = <abc>\n",
    "tag, tag in the name": b"<TAG> (x) = y) = <abc>\n",
    "B95 tag alone +": b"<TAG>\n",
    "B95 tag and a space +": b"<TAG> \n",
    "B95 tag and opening +": b"<TAG> (\n",
    "tag and name +": b"<TAG> (a)\n",
    "tag, name and equals +": b"<TAG> (a) =\n",
    "tag, short digest B93 +": b"<TAG> (a) = <abc|cut1>\n",
    "tag, 128 digits B93 +": b"<TAG> (a) = <abc|add64>\n",
    "tag of an unknown algorithm B93 +": b"WHIRLPOOL (a) = <abc>\n",
    "tag of no algorithm +": b" (a) = <abc>\n",
    "tag with a suffix +": b"<TAG>x (a) = <abc>\n",
    "tag of hexadecimal letters +": b"ADD (a) = <abc>\n",
    "B95 opening alone +": b"(\n",
    "B95 equals alone +": b" = \n",
    "B95 closing alone +": b")\n",
    "escaped newline": b"\\<abc>  x\\ny\n",
    "escaped backslash": b"\\<abc>  x\\\\y\n",
    "escaped return": b"\\<abc>  x\\ry\n",
    "escaped, nothing to escape": b"\\<abc>  a\n",
    "escaped, star": b"\\<abc> *x\\ny\n",
    "escaped, absent": b"\\<abc>  absent\\nname\n",
    "escaped, wrong digest": b"\\<b>  x\\ny\n",
    "escape without mark": b"<abc>  x\\ny\n",
    "unknown escape +": b"\\<abc>  x\\qy\n",
    "lone backslash at the end +": b"\\<abc>  x\\\n",
    "two backslashes first +": b"\\\\<abc>  a\n",
    "backslash, blank, digest +": b"\\ <abc>  a\n",
    "blank, backslash, digest": b" \\<abc>  x\\ny\n",
    "backslash alone +": b"\\\n",
    "backslash and digest +": b"\\<abc>\n",
    "backslash, digest, space +": b"\\<abc> \n",
    "backslash, digest, two spaces +": b"\\<abc>  \n",
    "escaped tag": b"\\<TAG> (x\\ny) = <abc>\n",
    "escaped tag, unknown escape +": b"\\<TAG> (x\\qy) = <abc>\n",
    "escaped tag, lone backslash +": b"\\<TAG> (x\\) = <abc>\n",
    "unknown escape without marker +": b"\\<abc> x\\q\n",
    "CRLF": b"<abc>  a\r\n<abc> *b\r\n\r\n#x\r\n",
    "CRLF, tag": b"<TAG> (a) = <abc>\r\n",
    "CRLF, escaped": b"\\<abc>  x\\ny\r\n",
    "two returns +": b"<abc>  a\r\r\n",
    "return at the end of file": b"<abc>  a\r",
    "return alone": b"<abc>  a\n\r",
    "return inside +": b"<abc>  x\ry\n",
    "returns only +": b"\r\r\n",
    "empty file": b"",
    "newline only": b"\n",
    "newlines and one line": b"\n\n<abc>  a\n\n",
    "comment": b"# text\n<abc>  a\n#\n",
    "comment only": b"# text\n",
    "comment without newline": b"<abc>  a\n#",
    "blank before a comment +": b" # text\n",
    "blanks only +": b"   \n",
    "comment that is a line": b"#<abc>  a\n",
    "hash as name": b"<abc>  #hash\n",
    "B91 UTF-8 mark +": b"\xef\xbb\xbf<abc>  a\n",
    "B91 UTF-8 mark, CRLF": b"\xef\xbb\xbf<abc>  a\r\n",
    "B95 null in the name": b"<abc>  a\0bc\n",
    "null after the digest +": b"<abc>\0  a\n",
    "null first +": b"\0<abc>  a\n",
    "null alone +": b"\0\n",
    "null at the end of file": b"<abc>  a\n\0",
    "null as name +": b"<abc> \0\n",
    "null as name after two spaces": b"<abc>  \0\n",
    "null before return": b"<abc>  a\0\r\n",
    "null in an escaped name +": b"\\<abc>  x\\n\0y\n",
    "null in a tagged name": b"<TAG> (a\0b) = <abc>\n",
    "null after a tagged name +": b"<TAG> (a)\0 = <abc>\n",
    "null after a tagged digest": b"<TAG> (a) = <abc>\0\n",
    "null and text after a tagged digest": b"<TAG> (a) = <abc>\0zz\n",
    "null in the tag +": b"<TAG>\0 (a) = <abc>\n",
    "null in an escaped tagged name +": b"\\<TAG> (a\0b) = <abc>\n",
    "null in a comment +": b"#\0x\n",
    "B87 invalid UTF-8": b"<abc>  bad\xff\n",
    "B87 invalid UTF-8, absent": b"<abc>  \xc3\x28\n",
    "control characters, absent": b"<abc>  \x1b[31mred\x07\n",
    "directory +": b"<abc>  d\n",
    "absent +": b"<abc>  absent\n",
    "path below a file +": b"<abc>  a/x\n",
    "same line twice": b"<abc>  a\n<abc>  a\n",
    "stdin": b"<empty>  -\n",
    "stdin as tag": b"<TAG> (-) = <empty>\n",
    "proc file +": b"<abc>  /proc/version\n",
    "B95 a megabyte of digits +": b"a" * (1 << 20) + b"\n",
    "B95 a megabyte of letters +": b"x" * (1 << 20) + b"\n",
    "B95 a megabyte of name": b"<abc>  " + b"n" * (1 << 20) + b"\n",
    "B95 a megabyte of backslashes": b"\\<abc>  " + b"\\" * (1 << 20) + b"\n",
    "two forms, marker first": b"<abc>  a\n<abc> a\n<abc>  a\n",
    "two forms, marker second": b"<abc> a\n<abc>  a\n<abc> *a\n",
    "two forms, tag between": b"<abc> a\n<TAG> (a) = <abc>\n<abc>  a\n",
    "two forms, bad line first": b"bad\n<abc> a\n<abc>  a\n",
    "two forms, marker first and absent": b"<abc>  absent\n<abc> a\n",
    "two forms, first line wrong in the name": b"\\<abc>  x\\q\n<abc> a\n",
    "two forms, first line wrong in the digest": b"<abc|cut1> a\n<abc>  a\n",
    "mixed bag": LIST + b"<TAG> (a) = <abc>\n<TAG> (b) = <abc>\n\\<abc>  x\\ny\n\n#\n",
}


def check_cases():
    odd = {name: b"abc" for name in ODD_NAMES if name != b"-"}
    for name, text in LINES.items():
        yield Case(f"check/{name}", ["-c", "list"], files={**odd, "list": text})
        yield Case(f"check/{name}, from stdin", ["-c"], files=odd, stdin=text)
        if name.endswith("+"):
            yield Case(f"check/{name} good", ["-c", "-w", "list"], files={**odd, "list": text + b"<abc>  a\n"})
            yield Case(
                f"check/{name} good, strict", ["-c", "--strict", "list"], files={**odd, "list": text + b"<abc>  a\n"}
            )
            yield Case(
                f"check/{name} good, ignoring",
                ["-c", "--ignore-missing", "--quiet", "list"],
                files={**odd, "list": text + b"<abc>  a\n"},
            )
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"):
        yield Case(
            f"check/B91 {encoding}",
            ["-c", "list"],
            files={"list": lambda j, e=encoding: j.render(b"<abc>  a\n<b>  b\n").decode().encode(e)},
        )
    yield Case("check/B89 absent", ["-c", "list"], files={"list": b"<abc>  absent\n"})
    yield Case("check/B89 absent, ignored", ["-c", "--ignore-missing", "list"], files={"list": b"<abc>  absent\n"})
    yield Case(
        "check/B89 one good, one absent, ignored",
        ["-c", "--ignore-missing", "list"],
        files={"list": b"<abc>  a\n<abc>  absent\n"},
    )
    yield Case(
        "check/ignored: path below a file is no missing file",
        ["-c", "--ignore-missing", "list"],
        files={"list": b"<abc>  a\n<abc>  a/x\n"},
    )
    yield Case(
        "check/ignored: dangling link",
        ["-c", "--ignore-missing", "list"],
        files={"list": b"<abc>  a\n<abc>  l\n"},
        links={"l": "absent"},
    )
    yield Case("check/B103 raw bytes", ["-c", "list"], files={"t": CONTENTS["crlf"], "list": b"<crlf>  t\n<crlf> *t\n"})
    for options in ([], ["--tag"], ["-b"], ["-t"]):
        yield Case(
            f"check/own output {' '.join(options)}",
            files=odd,
            shell=f"sum {' '.join(options)} -- * >list 2>/dev/null; sum -c list",
        )
    two = {"l1": b"<abc>  a\n", "l2": b"<b>  b\n", "r": b"<abc> a\n", "bad": b"bad\n", "none": b"", "f": b"<b>  a\n"}
    for lists in (
        ["l1", "l2"],
        ["l1", "bad", "l2"],
        ["absent", "l1"],
        ["d", "l1"],
        ["l1", "none"],
        ["f", "l1"],
        ["r", "l1"],
        ["l1", "r"],
        ["bad", "none"],
        ["l1", "l1"],
        ["", "l1"],
    ):
        for option in ([], ["--quiet"], ["--status"], ["--ignore-missing"], ["--strict"], ["-w"]):
            yield Case(f"check/lists {' '.join(lists)} {' '.join(option)}", ["-c"] + option + lists, files=two)
    yield Case("check/list is a FIFO", shell="mkfifo f; sum a >f & sum -c f; s=$?; wait; exit $s")
    yield Case("check/list by process substitution", shell="sum -c <(sum a b e)")
    yield Case("check/piped to itself", shell="sum a b e big | sum -c")
    yield Case(
        "check/a listed FIFO",
        shell="sum a | sed 's/a$/f/' >list; mkfifo f; printf abc >f & sum -c list; s=$?; wait; exit $s",
    )
    yield Case("check/listed stdin", ["-c", "list"], files={"list": b"<abc>  -\n"}, stdin=b"abc")
    yield Case("check/listed stdin, wrong", ["-c", "list"], files={"list": b"<abc>  -\n"}, stdin=b"b")
    yield Case("check/listed stdin twice", ["-c", "list"], files={"list": b"<abc>  -\n<empty>  -\n"}, stdin=b"abc")
    yield Case("check/stdin lists itself", ["-c", "-w"], stdin=b"<abc>  a\n<abc>  -\n<abc>  a\n")
    yield Case("check/stdin lists itself only", ["-c", "-"], stdin=b"<abc>  -\n")
    yield Case("check/stdin lists itself first, one space", ["-c"], stdin=b"<abc> -\n<abc>  a\n")
    yield Case("check/stdin as list twice", ["-c", "-", "-"], stdin=b"<abc>  a\n")
    yield Case("check/stdin read by the list before", ["-c", "list", "-"], files={"list": b"<abc>  -\n"}, stdin=b"abc")
    yield Case("check/list from a file on stdin", ["-c"], files={"list": b"<abc>  a\n"}, stdin="list")
    yield Case("check/stdin is a directory", ["-c"], stdin="d")
    yield Case("check/B101 closed stdin as list", ["-c"], stdin="closed")
    yield Case("check/B101 closed stdin, not needed", ["-c", "list"], files={"list": b"<abc>  a\n"}, stdin="closed")
    yield Case("check/B101 closed stdin, listed", ["-c", "list"], files={"list": b"<abc>  -\n"}, stdin="closed")
    for out in ("closed", "full", "broken", "broken, ignored"):
        for option in ([], ["--quiet"], ["--status"]):
            yield Case(
                f"check/B101 stdout {out} {' '.join(option)}",
                ["-c"] + option + ["list"],
                out=out,
                files={"list": b"<abc>  a\n<b>  b\n"},
            )
            yield Case(
                f"check/B101 stdout {out} {' '.join(option)}, a failure",
                ["-c"] + option + ["list"],
                out=out,
                files={"list": b"<abc>  a\n<abc>  b\n"},
            )
    for err in ("closed", "full"):
        yield Case(f"check/stderr {err}, a warning", ["-c", "list"], err=err, files={"list": b"<abc>  a\nbad\n"})
        yield Case(f"check/stderr {err}, no warning", ["-c", "list"], err=err, files={"list": b"<abc>  a\n"})
        yield Case(
            f"check/stderr {err}, silent", ["-c", "--status", "list"], err=err, files={"list": b"<abc>  a\nbad\n"}
        )
    for option in ([], ["--quiet"], ["--status"], ["--ignore-missing"]):
        yield Case(
            f"check/B97 {' '.join(option)}",
            ["-c"] + option + ["list"],
            nobody=True,
            files={"list": b"<abc>  d\n<abc>  a\n<abc>  secret\n<abc>  absent\n<b>  b\n"},
        )
    yield Case("check/B97 unreadable list", ["-c", "secret", "list"], nobody=True, files={"list": b"<abc>  a\n"})
    yield Case(
        "check/many lines", ["-c", "list"], files={"list": b"<abc>  a\n<b>  b\nbad\n\n#\n<empty>  e\n<b>  a\n" * 2000}
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", type=Path)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--filter", default="")
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    tool = str(options.tool.resolve())

    def ask_tool(content):
        done = subprocess.run([tool, "sum", "-a", "LSH-256-256"], input=content, capture_output=True, check=True)
        return done.stdout[:64].decode()

    ours = Judged([tool, "sum"], "LSH-256-256", ask_tool)
    judge = None
    path = shutil.which("sha256sum")
    if path:
        first = subprocess.run([path, "--version"], capture_output=True, text=True).stdout.partition("\n")[0]
        if first == JUDGE_VERSION:
            judge = Judged([path], "SHA256", lambda content: hashlib.sha256(content).hexdigest())
    if options.record and not judge:
        sys.exit(f"--record needs {JUDGE_VERSION}")
    print(f"judge: {JUDGE_VERSION if judge else f'the record of {JUDGE_VERSION} (this machine has another)'}")

    unprivileged = os.geteuid() != 0
    if not unprivileged and shutil.which("setpriv"):
        unprivileged = subprocess.run(UNPRIVILEGED + [tool, "sum", "--version"], capture_output=True).returncode == 0

    os.umask(0o022)
    recorded = {} if options.record else json.loads(RECORD.read_text())
    results, failures, skipped = {}, 0, []
    # World-readable, for the cases that drop root's rights.
    with tempfile.TemporaryDirectory() as base:
        os.chmod(base, 0o755)
        cases = [case for part in (print_cases, option_cases, check_cases) for case in part()]
        names = [case.name for case in cases]
        assert len(set(names)) == len(names), [name for name in names if names.count(name) > 1]
        cases = [case for case in cases if re.search(options.filter, case.name)]
        for case in cases:
            if case.nobody and not unprivileged:
                skipped.append(case.name)
                continue

            def run(judged):
                with tempfile.TemporaryDirectory(dir=base) as scratch:
                    return case.run(judged, Path(scratch))

            expected = recorded.get(case.name)
            if judge:
                live = run(judge)
                if not options.record and live != expected:
                    failures += 1
                    print(f"STALE RECORD {case.name}\n  recorded {expected}\n  real     {live}")
                expected = live
            elif expected is None:
                failures += 1
                print(f"NOT RECORDED {case.name}")
                continue
            results[case.name] = expected
            got = run(ours)
            if got != expected:
                failures += 1
                print(f"DIFFERENT {case.name}: {case.args}\n  expected {expected}\n  got      {got}")
            elif options.v:
                print(f"same {case.name}: {case.args} -> {got['status']}")
    for name in skipped:
        print(f"NOT RUN {name}: root, and no setpriv that can run the tool")
    print(f"{len(cases)} cases, {failures} failures, {len(skipped)} not run")
    if options.record:
        RECORD.write_text(json.dumps(results, indent=0, ensure_ascii=True) + "\n")
    sys.exit(1 if failures or not cases else 0)


if __name__ == "__main__":
    main()
