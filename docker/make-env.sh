#!/bin/sh
# Writes docker/.env with a fresh random password, for its owner alone; never over an old one,
# since the data volume keeps the password that it was made with.
set -eu
umask 077
file="$(dirname "$0")/.env"
if [ -e "$file" ]; then
  echo "$file exists; its password is the one of the data volume" >&2
  exit 1
fi
password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
cat >"$file" <<EOF
NEO4J_URI=bolt://127.0.0.1:7687
NEO4J_USERNAME=neo4j
NEO4J_PASSWORD=$password
EOF
echo "$file written" >&2
