"""Settings: read once from arguments, environment and ``mapgraph.toml``; secrets stay masked."""

import os
from typing import Annotated, ClassVar
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from mapgraph_neo.errors import SettingsError

PLAIN_SCHEMES = ("bolt", "neo4j")
SECURE_SCHEMES = ("bolt+s", "neo4j+s", "bolt+ssc", "neo4j+ssc")
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class GraphSettings(BaseSettings):
    """Where Neo4j is and how long it may take; times in seconds."""

    model_config = SettingsConfigDict(env_prefix="NEO4J_", extra="ignore", frozen=True)

    uri: str = "bolt://127.0.0.1:7687"
    username: str = "neo4j"
    password: SecretStr = SecretStr("")
    database: str = "neo4j"
    connect_seconds: Annotated[float, Field(gt=0, le=600)] = 5.0
    query_seconds: Annotated[float, Field(gt=0, le=3600)] = 60.0
    admin_seconds: Annotated[float, Field(gt=0, le=86400)] = 600.0
    retry_seconds: Annotated[float, Field(ge=0, le=600)] = 30.0
    allow_plain_remote: bool = False
    clock_offset_ms: int = 0

    @field_validator("uri")
    @classmethod
    def _no_credentials(cls, uri: str) -> str:
        parts = urlsplit(uri)
        if parts.username or parts.password or "@" in parts.netloc:
            message = (
                "credentials in the address are refused; use NEO4J_USERNAME and NEO4J_PASSWORD"
            )
            raise ValueError(message)
        if parts.scheme not in PLAIN_SCHEMES + SECURE_SCHEMES:
            message = "the address must start with bolt, neo4j, bolt+s or neo4j+s"
            raise ValueError(message)
        return uri

    @model_validator(mode="after")
    def _guarded(self) -> "GraphSettings":
        parts = urlsplit(self.uri)
        plain = parts.scheme in PLAIN_SCHEMES and parts.hostname not in LOOPBACK
        if plain and not self.allow_plain_remote:
            message = (
                "a plain connection to another host is refused; use bolt+s:// or neo4j+s://, "
                "or set NEO4J_ALLOW_PLAIN_REMOTE=true"
            )
            raise ValueError(message)
        if self.clock_offset_ms and not os.environ.get("MAPGRAPH_TESTING"):
            message = "clock_offset_ms shifts time and is accepted in tests only"
            raise ValueError(message)
        return self

    @property
    def routed(self) -> bool:
        """Whether the driver may choose among the members of a cluster."""
        return urlsplit(self.uri).scheme.startswith("neo4j")


class Settings(BaseSettings):
    """What is ours, ``MAPGRAPH_*`` in the environment: tenant, operator, embedder and the like."""

    model_config = SettingsConfigDict(
        env_prefix="MAPGRAPH_", extra="ignore", frozen=True, toml_file="mapgraph.toml"
    )

    tenant: str = "default"
    operator: str | None = None
    embedder: str = "st"
    policy: str | None = None
    sidecar_dir: str | None = None
    hash_key: SecretStr | None = None
    retrieve_seconds: Annotated[float, Field(gt=0, le=600)] = 10.0

    sources: ClassVar[tuple[str, ...]] = ("arguments", "environment", "mapgraph.toml")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments win over the environment, the environment over ``mapgraph.toml``."""
        del dotenv_settings, file_secret_settings
        return (init_settings, env_settings, TomlConfigSettingsSource(settings_cls))


def load_graph_settings(**given: object) -> GraphSettings:
    """Return where Neo4j is; ``None`` arguments count as not given.

    Raises:
        SettingsError: A value is missing or out of range; the message names the field.

    """
    try:
        return GraphSettings(**{k: v for k, v in given.items() if v is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        raise SettingsError(_message(error, "NEO4J_")) from None


def load_settings(**given: object) -> Settings:
    """Return our settings; ``None`` arguments count as not given.

    Raises:
        SettingsError: A value is missing or out of range; the message names the field.

    """
    try:
        return Settings(**{k: v for k, v in given.items() if v is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        raise SettingsError(_message(error, "MAPGRAPH_")) from None


def _message(error: ValidationError, prefix: str) -> str:
    first = error.errors()[0]
    name = "_".join(str(part) for part in first["loc"]) or "uri"
    return f"{prefix}{name.upper()}: {first['msg'].removeprefix('Value error, ')}"
