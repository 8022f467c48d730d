"""Ends the command: every way to fail becomes one line, an exit status and, if asked, JSON."""

import io
import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence

import typer

from mapgraph_cli.exit_codes import ExitCode, of_error
from mapgraph_cli.output import tell
from mapgraph_cli.text import clean, masked
from mapgraph_neo.errors import MapGraphError

DEBUG = "MAPGRAPH_DEBUG"


class CommandError(Exception):
    """The command itself cannot go on; says why, and with which status it ends."""

    def __init__(self, message: str, code: ExitCode = ExitCode.USAGE) -> None:
        """Carry the status beside the message."""
        super().__init__(message)
        self.code = code


class PipeClosedError(Exception):
    """Whoever read our output went away; nobody is told."""


def run(command: Callable[[], object], arguments: Sequence[str]) -> int:
    """Run ``command`` and return the exit status; failures are reported here and nowhere else.

    With ``--json`` or ``--ndjson`` among the arguments a failure is a document on standard
    output too, so that there is always one.
    """
    code = _code(command, as_json=bool({"--json", "--ndjson"} & set(arguments)))
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = ExitCode.PIPE_CLOSED
    except OSError as error:
        code = ExitCode.FAILED
        tell(f"error: the result cannot be written: {error.strerror}")
    else:
        return code
    _drop_output()
    return code


def _code(command: Callable[[], object], *, as_json: bool) -> int:
    try:
        answer = command()
    except (PipeClosedError, BrokenPipeError):
        return ExitCode.PIPE_CLOSED
    except Exception as error:  # noqa: BLE001 - the last place: what comes here ends the command
        code, message = _judged(error)
        _report(error, code, message, as_json=as_json)
        return code
    if answer == ExitCode.INTERRUPTED:  # while the arguments were read, by Typer's own account
        tell("error: interrupted; nothing was begun")
    return answer if isinstance(answer, int) else ExitCode.DONE


def _judged(error: Exception) -> tuple[int, str]:
    if isinstance(error, CommandError):
        return error.code, str(error)
    if isinstance(error, MapGraphError):
        return of_error(error), str(error)
    if isinstance(error, typer.Abort):
        return ExitCode.INTERRUPTED, "interrupted; nothing was changed"
    if type(error).__name__ == "NoArgsIsHelpError":  # the help was shown already
        return ExitCode.USAGE, _usage(error, "a command is missing")
    told = getattr(error, "format_message", None)
    if told is not None:  # the command line could not be parsed
        return int(getattr(error, "exit_code", ExitCode.USAGE)), _usage(error, str(told()))
    first = (str(error).splitlines() or [""])[0]
    message = f"unexpected {type(error).__name__}: {first}; set {DEBUG}=1 to see where"
    return ExitCode.FAILED, message


def _usage(error: Exception, message: str) -> str:
    context = getattr(error, "ctx", None)
    path = getattr(context, "command_path", "mapgraph")
    return f"{' '.join(message.split()).rstrip('.')}; see `{path} --help`"


def _report(error: Exception, code: int, message: str, *, as_json: bool) -> None:
    message = clean(masked(message))
    if os.environ.get(DEBUG) == "1":
        sys.stderr.write(masked("".join(traceback.format_exception(error))))
    tell(f"error: {message}")
    if as_json:
        document = {"error": {"type": type(error).__name__, "message": message, "exit": int(code)}}
        sys.stdout.write(json.dumps(document) + "\n")


def _drop_output() -> None:
    """Let the interpreter flush into nothing at its end, instead of complaining."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, io.UnsupportedOperation):
        return
