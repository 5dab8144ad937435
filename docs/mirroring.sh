#!/bin/sh
# Keeps a mirror of the catalogue as a file of one beat a line, with curl and jq: `sh mirroring.sh mirror`, a folder. It may
# be stopped at any moment and started again. --once ends it when no change is waiting. PAUSE=90 waits 90 seconds between
# calls once it is up to date. Each change rewrites the file: for a large catalogue that changes all the time, take a
# program with a database.
set -eu
folder=${1:-mirror}
once=${2:-}
base=${BEATMARKET_BASE_URL:-https://localhost:8443/v1}
wait=$([ "$once" = --once ] && echo 0 || echo 30)
mkdir -p "$folder"
cd "$folder"

# Prints the status. Retries what passes (connections, 408, 429, 5xx) and waits as long as Retry-After says.
call() {
  curl --silent --show-error --retry 1000000 --retry-connrefused --retry-all-errors --write-out '%{http_code}' \
    ${BEATMARKET_CA_FILE:+--cacert "$BEATMARKET_CA_FILE"} --header "Authorization: Bearer $BEATMARKET_API_KEY" "$@" || true
}

# The name of the newest complete state is its position: beats-POSITION.ndjson, made whole by mv.
newest() { ls | sed -n 's/^beats-\([0-9]*\)\.ndjson$/\1/p' | sort -n | tail -1; }

while :; do
  position=$(newest)
  if [ -z "$position" ]; then
    status=$(call --dump-header head --output export.gz "$base/exports/beats.ndjson.gz")
    [ "$status" = 200 ] || { cat export.gz >&2; exit 1; }
    position=$(tr -d '\r' < head | sed -n 's/^x-change-position: //Ip')
    gzip -dc export.gz > draft
    mv draft "beats-$position.ndjson"
  fi
  status=$(call --output page.json "$base/changes?after=$position&limit=1000&wait=$wait")
  if [ "$status" = 410 ]; then rm beats-*.ndjson; continue; fi # Away for more than 30 days: take a new export.
  [ "$status" = 200 ] || { cat page.json >&2; exit 1; }
  next=$(jq .data.next page.json)
  count=$(jq '.data.changes | length' page.json)
  if [ "$next" != "$position" ]; then
    # The last change of a beat counts; a beat that is sold or withdrawn goes.
    jq --compact-output --slurpfile page page.json --null-input '
      ($page[0].data.changes | map({key: (.beat_id | tostring), value: .}) | from_entries) as $changes
      | (inputs | select($changes[.id | tostring] == null)),
        ($changes[] | select(.beat != null and .type != "sold" and .type != "withdrawn") | .beat)
    ' "beats-$position.ndjson" > draft
    mv draft "beats-$next.ndjson"
    rm "beats-$position.ndjson"
  fi
  if [ "$once" = --once ] && [ "$count" = 0 ]; then break; fi
  if [ "$count" -lt 1000 ]; then sleep "${PAUSE:-0}"; fi
done
echo "$(wc -l < "beats-$(newest).ndjson") beats"
