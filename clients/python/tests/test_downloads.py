"""Files of orders arrive whole in spite of temporary failures, and other hosts do not get the key."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from beatmarket import (
    APIConnectionError,
    APIStatusError,
    BeatMarketError,
    ChecksumError,
    DownloadedFile,
    DownloadProgress,
    GoneError,
    InvalidRequestError,
)

from .conftest import KEY, Api, MakeApi, refusal, success

FILE = bytes(at % 251 for at in range(3_000))
SHA256 = hashlib.sha256(FILE).hexdigest()
LINK = "https://files.example/downloads/3/mp3?signature="
LICENSE = {"id": "7f0c", "status": "valid"}


def listing(link: str = "s1", **fields: Any) -> httpx2.Response:
    file = {"kind": "mp3", "filename": "a.mp3", "bytes": len(FILE), "sha256": SHA256, "url": LINK + link, **fields}
    return success({"files": [file], "license": LICENSE})


class Broken(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A body that ends with a lost connection."""

    def __init__(self, part: bytes) -> None:
        self._part = part

    def __iter__(self) -> Iterator[bytes]:
        yield self._part
        raise httpx2.ReadError("lost")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._part
        raise httpx2.ReadError("lost")


def whole(content: bytes = FILE) -> httpx2.Response:
    return httpx2.Response(200, stream=httpx2.ByteStream(content))


def cut(start: int, end: int) -> httpx2.Response:
    """The bytes up to `end`, then the connection is lost."""
    return httpx2.Response(206 if start else 200, headers=ranged(start), stream=Broken(FILE[start:end]))


def rest(start: int) -> httpx2.Response:
    return httpx2.Response(206, headers=ranged(start), stream=httpx2.ByteStream(FILE[start:]))


def ranged(start: int) -> dict[str, str]:
    return {"content-range": f"bytes {start}-{len(FILE) - 1}/{len(FILE)}"} if start else {}


def ranges(api: Api) -> list[str | None]:
    """The header Range of each request for the link."""
    return [request.headers.get("range") for request in api.service.requests if request.url.host == "files.example"]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def download(api: Api, path: Path, kind: str = "mp3", **options: Any) -> Any:
    return api.get(api.client.orders.download(3, kind, path, **options))


def test_lists_the_files_and_the_license(make_api: MakeApi) -> None:
    api = make_api(listing())
    listed = api.get(api.client.orders.files(3))
    assert (listed.files[0].kind, listed.license.status, listed.response.status) == ("mp3", "valid", 200)
    assert api.service.urls == ["/orders/3/files"]


def test_a_file_is_downloaded_through_its_link_without_the_key(make_api: MakeApi, tmp_path: Path) -> None:
    api = make_api(listing(), whole())
    path = tmp_path / "beat.mp3"
    seen: list[DownloadProgress] = []
    assert download(api, path, progress=seen.append) == DownloadedFile("mp3", "a.mp3", 3_000, SHA256, str(path))
    assert path.read_bytes() == FILE
    assert names(tmp_path) == ["beat.mp3"]
    assert (seen[0], seen[-1]) == (DownloadProgress("mp3", 0, 3_000), DownloadProgress("mp3", 3_000, 3_000))
    listed, link = api.service.requests
    assert listed.headers["authorization"] == f"Bearer {KEY}"
    assert "authorization" not in link.headers
    assert link.headers["accept-encoding"] == "identity"


def test_a_download_resumes_after_each_lost_connection(make_api: MakeApi, tmp_path: Path, waits: list[float]) -> None:
    cuts = [cut(start, start + 300) for start in range(0, 2_700, 300)]
    api = make_api(listing(), *cuts, rest(2_700), max_retries=1)
    download(api, tmp_path / "beat.mp3")
    assert (tmp_path / "beat.mp3").read_bytes() == FILE
    assert ranges(api) == [None, *(f"bytes={start}-" for start in range(300, 3_000, 300))]
    assert len(waits) == 9


def test_a_download_resumes_after_a_short_response_and_restarts_if_the_range_is_ignored(
    make_api: MakeApi, tmp_path: Path
) -> None:
    api = make_api(listing(), whole(FILE[:1_000]), whole())
    download(api, tmp_path / "beat.mp3")
    assert (tmp_path / "beat.mp3").read_bytes() == FILE
    assert ranges(api) == [None, "bytes=1000-"]


def test_a_range_with_another_start_is_not_appended(make_api: MakeApi, tmp_path: Path) -> None:
    api = make_api(listing(), rest(900), max_retries=0)
    (tmp_path / "beat.mp3.part").write_bytes(FILE[:1_000])
    with pytest.raises(APIConnectionError, match="not those from 1000"):
        download(api, tmp_path / "beat.mp3")
    assert (tmp_path / "beat.mp3.part").read_bytes() == FILE[:1_000]


def test_an_expired_link_is_replaced_once(make_api: MakeApi, tmp_path: Path) -> None:
    gone = refusal(410, "not_found")
    api = make_api(listing(), cut(0, 1_000), gone, listing("s2"), rest(1_000))
    download(api, tmp_path / "beat.mp3")
    assert (tmp_path / "beat.mp3").read_bytes() == FILE
    assert ranges(api) == [None, "bytes=1000-", "bytes=1000-"]
    assert [url[-2:] for url in api.service.urls if "signature" in url] == ["s1", "s1", "s2"]

    again = make_api(listing(), gone, listing("s2"), gone)
    with pytest.raises(GoneError):
        download(again, tmp_path / "other.mp3")
    assert len(again.service.requests) == 4
    assert not (tmp_path / "other.mp3").exists()


@pytest.mark.parametrize("content", [bytes(3_000), FILE + FILE])
def test_another_checksum_raises_and_keeps_the_old_file(make_api: MakeApi, tmp_path: Path, content: bytes) -> None:
    api = make_api(listing(), whole(content))
    path = tmp_path / "beat.mp3"
    path.write_text("before")
    with pytest.raises(ChecksumError, match="file mp3 of order 3"):
        download(api, path)
    assert path.read_text() == "before"
    assert names(tmp_path) == ["beat.mp3"]


def test_a_later_call_resumes_the_part_of_a_failed_call(make_api: MakeApi, tmp_path: Path) -> None:
    api = make_api(listing(), cut(0, 1_000), listing(), rest(1_000), max_retries=0)
    path = tmp_path / "beat.mp3"
    with pytest.raises(APIConnectionError):
        download(api, path)
    assert names(tmp_path) == ["beat.mp3.part"]
    seen: list[DownloadProgress] = []
    download(api, path, progress=seen.append)
    assert seen[0].received == 1_000
    assert path.read_bytes() == FILE


def test_a_part_of_another_file_is_downloaded_again(make_api: MakeApi, tmp_path: Path) -> None:
    api = make_api(listing(), rest(1_000), whole())
    (tmp_path / "beat.mp3.part").write_bytes(bytes(1_000))
    download(api, tmp_path / "beat.mp3")
    assert (tmp_path / "beat.mp3").read_bytes() == FILE
    assert ranges(api) == ["bytes=1000-", None]


def test_a_part_that_is_longer_than_the_file_is_downloaded_again(make_api: MakeApi, tmp_path: Path) -> None:
    api = make_api(listing(), whole())
    (tmp_path / "beat.mp3.part").write_bytes(bytes(4_000))
    download(api, tmp_path / "beat.mp3")
    assert ranges(api) == [None]


def test_a_complete_file_is_not_downloaded_again(make_api: MakeApi, tmp_path: Path) -> None:
    api = make_api(listing())
    (tmp_path / "beat.mp3").write_bytes(FILE)
    seen: list[DownloadProgress] = []
    download(api, tmp_path / "beat.mp3", progress=seen.append)
    assert (ranges(api), [reached.received for reached in seen]) == ([], [3_000])


def test_a_redirect_to_another_host_is_followed_without_the_key(make_api: MakeApi, tmp_path: Path) -> None:
    leading = httpx2.Response(302, headers={"location": "https://bucket.example/key?x=1"})
    api = make_api(listing(), cut(0, 1_000), leading, rest(1_000))
    download(api, tmp_path / "beat.mp3")
    assert (tmp_path / "beat.mp3").read_bytes() == FILE
    last = api.service.requests[-1]
    assert (str(last.url), last.headers["range"]) == ("https://bucket.example/key?x=1", "bytes=1000-")
    for request in api.service.requests[1:]:
        assert KEY not in str(request.headers.raw)


@pytest.mark.parametrize("location", ["http://bucket.example/key", "file:///etc/passwd", "https://[", "//user@x/"])
def test_an_insecure_or_invalid_redirect_is_not_followed(make_api: MakeApi, tmp_path: Path, location: str) -> None:
    api = make_api(listing(), httpx2.Response(302, headers={"location": location}))
    with pytest.raises(APIStatusError):
        download(api, tmp_path / "beat.mp3")
    assert len(api.service.requests) == 2


def test_a_circle_of_redirects_ends(make_api: MakeApi, tmp_path: Path) -> None:
    api = make_api(listing(), httpx2.Response(302, headers={"location": "/again"}))
    with pytest.raises(APIStatusError):
        download(api, tmp_path / "beat.mp3")
    assert len(api.service.requests) == 7


def test_a_download_waits_until_the_files_are_created(make_api: MakeApi, tmp_path: Path, waits: list[float]) -> None:
    busy = refusal(503, "server_error", {"retry-after": "7"})
    api = make_api(busy, busy, busy, listing(), busy, whole())
    download(api, tmp_path / "beat.mp3")
    assert waits == [7, 7, 7, 7]
    assert (tmp_path / "beat.mp3").read_bytes() == FILE


def test_a_download_raises_for_an_absent_file_unusable_path_or_insecure_link(make_api: MakeApi, tmp_path: Path) -> None:
    api = make_api(listing())
    with pytest.raises(BeatMarketError, match="^The order 3 has no wav; it has mp3.$"):
        download(api, tmp_path / "beat.wav", "wav")
    with pytest.raises(BeatMarketError, match="is a folder"):
        download(api, tmp_path)
    with pytest.raises(BeatMarketError, match="cannot be written"):
        download(api, tmp_path / "none/beat.mp3")
    refunded = make_api(success({"files": [], "license": {**LICENSE, "status": "refunded"}}))
    sentence = "^The order 3 has no files: its license is refunded.$"
    with pytest.raises(BeatMarketError, match=sentence):
        download(refunded, tmp_path / "x")
    with pytest.raises(BeatMarketError, match=sentence):
        all_files(refunded, tmp_path)
    pending = make_api(refusal(409, "invalid_request"))
    with pytest.raises(InvalidRequestError):
        download(pending, tmp_path / "x")
    unencrypted = make_api(listing(url="http://files.example/downloads/3/mp3"))
    with pytest.raises(BeatMarketError, match="https:"):
        download(unencrypted, tmp_path / "x")


def all_files(api: Api, folder: Path) -> Any:
    return api.get(api.client.orders.download_all(3, folder))


@pytest.mark.parametrize(
    ("filename", "name"),
    [
        ("../../etc/passwd", "_.._etc_passwd"),
        ("..\\..\\x.mp3", "_.._x.mp3"),
        ("C:x?.mp3", "C_x_.mp3"),
        ("..", "mp3"),
        ("", "mp3"),
        (".hidden. ", "hidden"),
        ("nul.mp3", "_nul.mp3"),
        ("a\0\u202egpj.mp3", "a__gpj.mp3"),
        ("水曜日の庭 - 青い高速道路 (basic).mp3", "水曜日の庭 - 青い高速道路 (basic).mp3"),
        ("青" * 300 + ".mp3", "青" * 65 + ".mp3"),
    ],
)
def test_a_file_is_saved_under_a_safe_name(make_api: MakeApi, tmp_path: Path, filename: str, name: str) -> None:
    api = make_api(listing(filename=filename), whole())
    folder = tmp_path / "all/of it"
    assert [file.path for file in all_files(api, folder)] == [str(folder / name)]
    assert names(folder) == [name]


def test_downloads_all_files_even_with_equal_names(make_api: MakeApi, tmp_path: Path) -> None:
    files = [
        {"kind": kind, "filename": filename, "bytes": 3_000, "sha256": SHA256, "url": LINK + kind}
        for kind, filename in (("mp3", "Beat"), ("wav", "beat"))
    ]
    api = make_api(success({"files": files, "license": LICENSE}), whole(), whole())
    assert [Path(file.path).name for file in all_files(api, tmp_path)] == ["Beat", "wav beat"]
    assert names(tmp_path) == ["Beat", "wav beat"]


def test_neither_messages_nor_logs_have_the_signature_of_a_link(
    make_api: MakeApi, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "beatmarket")
    api = make_api(listing(), cut(0, 1_000), refusal(403, "forbidden"))
    with pytest.raises(APIStatusError) as caught:
        download(api, tmp_path / "beat.mp3")
    assert "/downloads/3/mp3" in caplog.text
    assert "signature=" not in caplog.text + str(caught.value)


def test_sales_are_iterated_and_a_month_is_saved(make_api: MakeApi, tmp_path: Path) -> None:
    def page(number: int, following: str | None) -> httpx2.Response:
        return success(
            {
                "sales": [{"id": number, "beat": {"id": 7, "title": "One"}, "buyer": {"name": "Maya"}}],
                "pagination": {"total": 2, "next_page_url": following},
            }
        )

    api = make_api(page(1, "https://api.example.com/v1/users/me/sales?page=2"), page(2, None))
    sales = list(api.each(api.client.sales.list(from_="2026-11-01", to="2026-12-01", beat=7, limit=1)))
    assert [(sale.id, sale.beat.title, sale.buyer.name) for sale in sales] == [(1, "One", "Maya"), (2, "One", "Maya")]
    assert api.service.urls[0] == "/users/me/sales?limit=1&from=2026-11-01&to=2026-12-01&beat=7"

    csv = b"order_id,title\r\n1,One\r\n"
    broken = httpx2.Response(200, stream=Broken(b"x" * 99))
    month = make_api(broken, httpx2.Response(200, stream=httpx2.ByteStream(csv)))
    path = tmp_path / "sales.csv"
    export = month.get(month.client.sales.export("2026-11", path))
    assert (export.path, export.response.status, path.read_bytes()) == (path, 200, csv)
    assert month.service.urls == ["/users/me/sales.csv?month=2026-11"] * 2
