"""Prints the status of each place of a signed list: python3 status_list_reader.py JWKS LIST PLACE..."""

import base64
import gzip
import json
import sys
from pathlib import Path

from joserfc import jws
from joserfc.jwk import KeySet

keys = KeySet.import_key_set(json.loads(Path(sys.argv[1]).read_text()))
signed = jws.deserialize_compact(Path(sys.argv[2]).read_text(), keys, algorithms=["EdDSA"])
assert signed.headers()["typ"] == "vc+jwt", signed.headers()
credential = json.loads(signed.payload)
assert "BitstringStatusListCredential" in credential["type"], credential["type"]
subject = credential["credentialSubject"]
assert subject["encodedList"][0] == "u"
text = subject["encodedList"][1:]
bits = "".join(f"{byte:08b}" for byte in gzip.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))))
assert len(bits) >= 131_072, len(bits)
print(json.dumps([int(bits[2 * int(place) : 2 * int(place) + 2], 2) for place in sys.argv[3:]]))
