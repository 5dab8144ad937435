"""Prints the claims of a certificate whose signature is valid: python3 joserfc_verifier.py JWKS JWS."""

import sys
from pathlib import Path
from json import loads

from joserfc import jws
from joserfc.jwk import KeySet

keys = KeySet.import_key_set(loads(Path(sys.argv[1]).read_text()))
certificate = jws.deserialize_compact(Path(sys.argv[2]).read_text(), keys, algorithms=["EdDSA"])
sys.stdout.reconfigure(encoding="utf-8")
print(certificate.payload.decode())
