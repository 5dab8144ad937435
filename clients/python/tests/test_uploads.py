"""Files arrive whole, in spite of temporary failures."""

from __future__ import annotations

import base64
import hashlib
import io
from pathlib import Path
from typing import Any

import httpx2
import pytest

from beatmarket import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    BeatMarketError,
    NotFoundError,
    PreconditionFailedError,
    UploadProgress,
    UploadRejectedError,
)

from .conftest import MakeApi, refusal, success

ID = "upl_0000000000000000000001"
FILE = b"A quiet beat"
LOST = httpx2.ConnectError("lost")


def tus(status: int, **headers: object) -> httpx2.Response:
    """A response of the protocol."""
    sent = {name.replace("_", "-"): str(value) for name, value in headers.items()}
    return httpx2.Response(status, headers={"tus-resumable": "1.0.0", **sent})


def created(offset: int = 0) -> httpx2.Response:
    return tus(201, location=f"https://inside.example/v1/uploads/{ID}", upload_offset=offset)


def at(offset: int) -> httpx2.Response:
    return tus(204, upload_offset=offset)


def state(offset: int, size: int = len(FILE)) -> httpx2.Response:
    return tus(200, upload_offset=offset, upload_length=size)


def upload(**fields: Any) -> httpx2.Response:
    return success({"upload": {"id": ID, "status": "analysing", "rejection": None, **fields}})


@pytest.mark.parametrize("kind", ["path", "file", "bytes"])
def test_a_small_file_is_one_request(make_api: MakeApi, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "Größe.wav"
    path.write_bytes(FILE)
    named = io.BytesIO(FILE)
    named.name = str(path)
    file: Any = {"path": path, "file": named, "bytes": FILE}[kind]
    name = "audio" if kind == "bytes" else "Größe.wav"
    api = make_api(created(len(FILE)), upload())
    seen: list[UploadProgress] = []
    assert api.get(api.client.uploads.upload(file, kind="audio", progress=seen.append)).status == "analysing"
    assert api.service.urls == ["/uploads", f"/uploads/{ID}"]
    sent = api.service.requests[0]
    assert (sent.method, sent.content) == ("POST", FILE)
    headers = {
        "tus-resumable": "1.0.0",
        "content-type": "application/offset+octet-stream",
        "upload-length": "12",
        "upload-metadata": f"kind YXVkaW8=,filename {base64.b64encode(name.encode()).decode()}",
        "upload-checksum": f"sha256 {base64.b64encode(hashlib.sha256(FILE).digest()).decode()}",
    }
    assert {name: sent.headers[name] for name in headers} == headers
    assert seen == [UploadProgress(ID, 12, 12)]


def test_a_failed_part_resumes_at_the_offset_of_the_service(make_api: MakeApi, waits: list[float]) -> None:
    responses = [
        created(),
        at(4),
        *[LOST] * 4,
        state(7),
        at(11),
        refusal(503, "server_error"),
        state(11),
        at(12),
        upload(),
    ]
    api = make_api(*responses, max_retries=1)
    seen: list[int] = []
    api.get(
        api.client.uploads.upload(FILE, kind="audio", part_bytes=4, progress=lambda reached: seen.append(reached.sent))
    )
    assert seen == [0, 4, 7, 11, 12]
    parts = [request.content for request in api.service.requests if request.method == "PATCH"]
    assert parts == [b"A qu", b"iet ", b" bea", b"t", b"t"]
    assert len(waits) == 5


def test_an_upload_without_retries_fails_and_another_client_resumes_it(make_api: MakeApi) -> None:
    api = make_api(created(), at(4), LOST, max_retries=0)
    seen: list[UploadProgress] = []
    with pytest.raises(APIConnectionError):
        api.get(api.client.uploads.upload(FILE, kind="audio", part_bytes=4, progress=seen.append))
    later = make_api(state(4), at(12), upload())
    later.get(later.client.uploads.resume(seen[-1].upload_id, FILE))
    assert [(request.method, request.content) for request in later.service.requests] == [
        ("HEAD", b""),
        ("PATCH", b"iet beat"),
        ("GET", b""),
    ]


@pytest.mark.parametrize(
    ("responses", "error", "message"),
    [
        ([state(4, 99)], BeatMarketError, "12 bytes, and the upload .* 99"),
        ([tus(404), refusal(404, "not_found")], NotFoundError, "What exactly"),
        ([httpx2.Response(200, text="<html>")], APIStatusError, "unknown form"),
        ([state(4), refusal(409, "invalid_request")], APIStatusError, "What exactly"),
    ],
)
def test_resume_raises_if_the_service_refuses_or_the_file_differs(
    make_api: MakeApi, responses: list[httpx2.Response], error: type[Exception], message: str
) -> None:
    api = make_api(*responses)
    with pytest.raises(error, match=message):
        api.get(api.client.uploads.resume(ID, FILE))
    assert len(api.service.requests) == len(responses)


def test_a_file_that_cannot_be_read_or_becomes_shorter_is_an_error(make_api: MakeApi, tmp_path: Path) -> None:
    api = make_api(created())
    with pytest.raises(BeatMarketError, match=r"absent\.wav cannot be read"):
        api.get(api.client.uploads.upload(tmp_path / "absent.wav", kind="audio"))
    assert api.service.requests == []
    path = tmp_path / "beat.wav"
    path.write_bytes(FILE)
    with pytest.raises(BeatMarketError, match="became shorter"):
        api.get(api.client.uploads.upload(path, kind="audio", part_bytes=4, progress=lambda _: path.write_bytes(b"")))


def test_wait_polls_an_upload_less_and_less_often(make_api: MakeApi, waits: list[float]) -> None:
    api = make_api(*[upload()] * 5, upload(status="ready"))
    assert api.get(api.client.uploads.wait(ID)).status == "ready"
    assert waits == [1, 2, 4, 8, 8]


def test_a_rejection_and_a_time_out_are_errors(make_api: MakeApi) -> None:
    api = make_api(upload(status="rejected", rejection="The file is no audio."))
    with pytest.raises(UploadRejectedError, match=r"The file is no audio\.") as caught:
        api.get(api.client.uploads.wait(ID))
    assert caught.value.upload.id == ID
    api = make_api(upload())
    with pytest.raises(APITimeoutError, match="is analysing after 0 s"):
        api.get(api.client.uploads.wait(ID, timeout=0))


def test_an_upload_is_deleted(make_api: MakeApi) -> None:
    api = make_api(tus(204))
    assert api.get(api.client.uploads.delete(ID)) is None
    api = make_api(httpx2.Response(200, text="<html>"))
    with pytest.raises(APIStatusError, match="unknown form"):
        api.get(api.client.uploads.delete(ID))


def test_an_edit_sends_its_condition_as_if_match(make_api: MakeApi) -> None:
    beat = success({"beat": {"id": 7}}, headers={"etag": '"v7-0a"'})
    api = make_api(beat, beat, refusal(412, "invalid_request"))
    etag = api.get(api.client.beats.get(7)).response.etag
    api.get(api.client.beats.update(7, price=9, description=None, if_match=etag))
    with pytest.raises(PreconditionFailedError):
        api.get(api.client.beats.withdraw(7, if_match=etag))
    _, changed, withdrawn = api.service.requests
    assert (changed.method, changed.headers["if-match"]) == ("PATCH", '"v7-0a"')
    assert changed.content == b'{"price": 9, "description": null}'
    assert (withdrawn.method, withdrawn.headers["if-match"]) == ("DELETE", '"v7-0a"')
