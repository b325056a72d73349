"""Ways to write the same numbers and rows that a reader must accept."""

from __future__ import annotations


def crlf(text: str) -> bytes:
    """Lines that end in carriage return and line feed."""
    return text.replace("\n", "\r\n").encode()


def no_final_newline(text: str) -> bytes:
    """The last line is not ended."""
    return text.rstrip("\n").encode()


def blank_lines(text: str) -> bytes:
    """Blank lines before, between and after the lines; some hold blanks."""
    return ("\n \n" + text.replace("\n", "\n\n") + "\t\n\n").encode()


def wide_blanks(text: str) -> bytes:
    """Blanks and tabs around everything."""
    lines = [" \t" + line.replace(" ", " \t  ") + "  " for line in text.splitlines()]
    return ("\n".join(lines) + "\n").encode()


def one_token_a_line(text: str) -> bytes:
    """The lines say nothing about the rows of the board."""
    return ("\n".join(text.split()) + "\n").encode()


def one_line(text: str) -> bytes:
    """Everything on one line."""
    return (" ".join(text.split()) + "\n").encode()


def byte_order_mark(text: str) -> bytes:
    """Starts with the three bytes of the UTF-8 byte order mark."""
    return b"\xef\xbb\xbf" + text.encode()
