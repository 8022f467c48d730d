"""What goes into a private server's commands and comes out of them; frozen."""

from dataclasses import dataclass, field

START_SECONDS = 300.0  # one that ends is noticed at once; this is for slow machines


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerAddress:
    """How to reach a running server."""

    name: str
    uri: str
    username: str
    password: str = field(repr=False)
    browser: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartOptions:
    """How to start; ``None`` keeps what the server had, and is the default for a new one."""

    version: str | None = None
    heap: str | None = None
    pagecache: str | None = None
    bolt: int | None = None
    http: int | None = None
    offline: bool = False
    seconds: float = START_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerStatus:
    """What a server is doing: ``absent stopped crashed starting running locked-out``."""

    name: str
    state: str
    home: str
    version: str | None = None
    uri: str | None = None
    browser: str | None = None
    username: str | None = None
    heap: str | None = None
    pagecache: str | None = None
    pid: int | None = None
    memory_mb: int | None = None
    uptime_s: int | None = None
