"""requests, the most common HTTP library of Python."""
import json, os

import requests

job = json.loads(os.environ["JOB"])
block = b" " * 65536
outcomes = {}
for _ in range(job["runs"]):
    body = (block for _ in range(job["bytes"] // len(block) + 1)) if job["isChunked"] else b" " * job["bytes"]
    try:
        response = requests.post(
            job["origin"] + job["path"], data=body, headers=job["headers"], verify=job["caFile"], timeout=120
        )
        outcome = f"{response.status_code} {response.json()['error']['message']}"
    except Exception as error:
        outcome = repr(error)
    outcomes[outcome] = outcomes.get(outcome, 0) + 1
print(json.dumps(outcomes))
