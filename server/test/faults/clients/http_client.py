"""http.client of Python's standard library: it sends the whole body before it reads the response."""
import http.client, json, os, ssl, urllib.parse

job = json.loads(os.environ["JOB"])
url = urllib.parse.urlsplit(job["origin"])
context = ssl.create_default_context(cafile=job["caFile"]) if url.scheme == "https" else None
block = b" " * 65536
outcomes = {}
for _ in range(job["runs"]):
    connection = (
        http.client.HTTPSConnection(url.hostname, url.port, timeout=120, context=context)
        if context
        else http.client.HTTPConnection(url.hostname, url.port, timeout=120)
    )
    headers = dict(job["headers"])
    if job["isChunked"]:
        headers["Transfer-Encoding"] = "chunked"
        body = (block for _ in range(job["bytes"] // len(block) + 1))
    else:
        body = b" " * job["bytes"]
    try:
        connection.request("POST", job["path"], body, headers, encode_chunked=job["isChunked"])
        response = connection.getresponse()
        outcome = f"{response.status} {json.loads(response.read())['error']['message']}"
    except Exception as error:
        outcome = repr(error)
    finally:
        connection.close()
    outcomes[outcome] = outcomes.get(outcome, 0) + 1
print(json.dumps(outcomes))
