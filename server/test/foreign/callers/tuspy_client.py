"""Uploads a file with tuspy: sends a part, then the rest with a new client that has the address, with checksums."""

import json
import sys

from tusclient import client

endpoint, key, path = sys.argv[1:]
metadata = {"kind": "audio", "filename": "beat.wav"}
tus = client.TusClient(endpoint, headers={"Authorization": f"Bearer {key}"})

first = tus.uploader(path, chunk_size=1_000_000, metadata=metadata, upload_checksum=True)
first.upload_chunk()

second = tus.uploader(path, chunk_size=1_000_000, url=first.url, metadata=metadata, upload_checksum=True)
resumed_from = second.offset
second.upload()

json.dump({"resumed": first.url, "from": resumed_from, "offset": second.offset}, sys.stdout)
