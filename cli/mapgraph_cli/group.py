"""The group of all sub-commands: hands every failure to ``failures``."""

import sys
from collections.abc import Sequence
from typing import Any

from typer.core import TyperGroup

from mapgraph_cli.exit_codes import ExitCode
from mapgraph_cli.failures import CommandError, PipeClosedError, run

NAME = "mapgraph"
INTERRUPTED = (
    "interrupted; what was asked is either stored whole or not at all, and repeating it is harmless"
)


class CommandGroup(TyperGroup):
    """Typer's group, with our exit statuses and one-line errors."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT001
        windows_expand_args: bool = True,  # noqa: FBT001
        **extra: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        """Run the command and end the process with its status."""
        del prog_name  # also in messages it is called so, however it was started
        given = list(sys.argv[1:] if args is None else args)

        def call() -> object:
            return super(CommandGroup, self).main(
                given,
                prog_name=NAME,
                complete_var=complete_var,
                standalone_mode=False,
                windows_expand_args=windows_expand_args,
                **extra,
            )

        if not standalone_mode:
            return call()
        sys.exit(int(run(call, given)))

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401
        """Run the sub-command; turn an interrupt and a closed pipe into errors of ours."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise CommandError(INTERRUPTED, ExitCode.INTERRUPTED) from None
        except BrokenPipeError as error:
            raise PipeClosedError from error
