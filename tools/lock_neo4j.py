"""Write the lock file of one Neo4j version: every jar that the server needs, with its sha256.

For developers, when a new Neo4j is to be supported::

    python tools/lock_neo4j.py 2026.08.1                # writes mapgraph_neo/server/locks/
    python tools/lock_neo4j.py 2026.08.1 --check        # compares, writes nothing

It needs Maven and Java, which users of the lock do not. *What* belongs to a server is Maven's own
resolution of the modules below, in that order (the first one to name a version wins). Everything
is fetched anew into an empty repository with strict checksums, so a damaged local copy cannot get
into the lock.
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LOCKS = Path(__file__).parents[1] / "mapgraph_neo" / "server" / "locks"
BROWSER = "5.24.0"  # the Neo4j Browser that both server lines ship
MODULES = (
    "org.neo4j:neo4j:{version}",  # the database
    "org.neo4j.app:neo4j-server:{version}",  # Bolt, HTTP and the entry point
    "org.neo4j:neo4j-slf4j-provider:{version}",  # so that libraries log where Neo4j does
    f"org.neo4j.client:neo4j-browser:{BROWSER}",
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_JAR = re.compile(
    r"\s+([\w.-]+):([\w.-]+):(jar):(?:([\w.-]+):)?([\w.-]+):(?:compile|runtime):(.+?\.jar)\b"
)
_PROJECT = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion>
<groupId>mapgraph</groupId><artifactId>lock</artifactId><version>1</version>
<dependencies>
{dependencies}
</dependencies>
</project>
"""
_DEPENDENCY = (
    "<dependency><groupId>{0}</groupId><artifactId>{1}</artifactId>"
    "<version>{2}</version></dependency>"
)


def resolve(version: str, folder: Path) -> str:
    """Return Maven's list of the runtime jars of ``version``, fetched into ``folder``."""
    modules = (module.format(version=version).split(":") for module in MODULES)
    listed = "\n".join(_DEPENDENCY.format(*module) for module in modules)
    (folder / "pom.xml").write_text(_PROJECT.format(dependencies=listed), encoding="utf-8")
    jars = folder / "jars.txt"
    command = [
        *("mvn", "--batch-mode", "--quiet", "--strict-checksums"),
        f"-Dmaven.repo.local={folder / 'repository'}",
        *("dependency:list", "-DincludeScope=runtime", "-DoutputAbsoluteArtifactFilename=true"),
        f"-DoutputFile={jars}",
    ]
    subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)  # noqa: S603 - our own words
    return _COLOUR.sub("", jars.read_text(encoding="utf-8"))


def lock(version: str, listed: str) -> str:
    """Return the text of the lock file for Maven's list of jars."""
    jars: list[dict[str, object]] = []
    for line in listed.splitlines():
        if match := _JAR.match(line):
            group, artifact, extension, classifier, jar_version, path = match.groups()
            content = Path(path).read_bytes()
            gav = [group, artifact, extension, classifier or "", jar_version]
            digest = hashlib.sha256(content).hexdigest()
            jars.append({"gav": gav, "sha256": digest, "size": len(content)})
    jars.sort(key=lambda jar: str(jar["gav"]))
    lines = ",\n".join(json.dumps(jar) for jar in jars)
    return f'{{"version": {json.dumps(version)}, "artifacts": [\n{lines}\n]}}\n'


def main() -> int:
    """Write or check the lock file of the version on the command line."""
    parser = argparse.ArgumentParser(description="Write the lock file of one Neo4j version.")
    parser.add_argument("version")
    parser.add_argument("--check", action="store_true", help="compare only")
    given = parser.parse_args()
    path = LOCKS / f"neo4j-{given.version}.json"
    with tempfile.TemporaryDirectory() as folder:
        text = lock(given.version, resolve(given.version, Path(folder)))
    if given.check:
        same = path.is_file() and path.read_text(encoding="utf-8") == text
        sys.stderr.write(f"{path.name}: {'as locked' if same else 'differs'}\n")
        return 0 if same else 1
    path.write_text(text, encoding="utf-8")
    sys.stderr.write(f"{path.name}: {text.count('sha256')} jars\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
