"""What every part of a policy test has in common: closed, frozen, and lists written short."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Part(BaseModel):
    """A part of the file; a key that it does not know is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Text = Annotated[str, Field(min_length=1)]
Ids = tuple[str, ...]
Many = str | tuple[str, ...]
"""One id, or a list."""
