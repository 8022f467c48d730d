"""Neo4j Browser with our guide and style inside, served by the server itself.

The server finds the Browser as the folder ``browser`` on its class path. A copy of its jar with our
pages added takes its place, so guide and style have the Browser's own origin: no second server,
and no address but its own on the list of hosts that guides may come from.
"""

import hashlib
import secrets
import shutil
import zipfile
from importlib.resources import files
from pathlib import Path

from mapgraph_neo.server.files import ensure_folder
from mapgraph_neo.server.locks import Jar

PAGES = ("guide.html", "style.grass")


def browser_overlay(jar: Jar, path: Path, cache: Path) -> Path:
    """Return the jar to put on the class path instead of the Browser's own at ``path``."""
    folder = files("mapgraph_neo.server") / "browser"
    pages = {page: (folder / page).read_bytes() for page in PAGES}
    digest = hashlib.sha256(jar.sha256.encode() + b"".join(pages.values())).hexdigest()
    overlay = ensure_folder(cache / "browser") / f"{path.stem}-{digest[:24]}.jar"
    if overlay.is_file():  # moved there whole
        return overlay
    half = overlay.with_name(f".{overlay.name}.{secrets.token_hex(4)}")
    try:
        shutil.copyfile(path, half)
        with zipfile.ZipFile(half, "a", zipfile.ZIP_DEFLATED) as archive:
            for page, content in pages.items():
                archive.writestr(f"browser/mapgraph/{page}", content)
        half.replace(overlay)
    finally:
        half.unlink(missing_ok=True)
    return overlay
