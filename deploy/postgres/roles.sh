#!/bin/sh
# Runs once, when the volume is empty: makes the database, the role that owns it and migrates, and the role that serves
# (docs/operating.md, Two roles).
set -eu
psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 \
  --set owner="$OWNER_PASSWORD" --set service="$SERVICE_PASSWORD" <<'SQL'
create role beatmarket_owner login password :'owner';
create role beatmarket_service login password :'service';
create database beatmarket owner beatmarket_owner;
revoke all on database beatmarket from public;
grant connect, temporary on database beatmarket to beatmarket_service;
\connect beatmarket
alter schema public owner to beatmarket_owner;
SQL
