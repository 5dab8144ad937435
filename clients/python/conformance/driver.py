"""The Python driver; clients/conformance/README.md describes the protocol."""

from __future__ import annotations

import base64
import inspect
import io
import json
import keyword
import logging
import os
import pprint
import sys
import traceback
import typing
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any, TextIO

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))

from environment import ensure_client

ensure_client()

import beatmarket
from beatmarket import (
    BeatMarket,
    BeatMarketError,
    ChangePage,
    Model,
    RequestInfo,
    SignatureVerificationError,
    UploadProgress,
    webhooks,
)
from beatmarket._generated.errors import ERRORS
from beatmarket._generated.events import EVENTS
from beatmarket._generated.operations import OPERATIONS

from forms import error_form, meta_form, typed_read, value_form

CALLS = {operation.id: operation.call for operation in OPERATIONS}
OPTIONS = {"timeout_seconds": "timeout", "max_retry_after_seconds": "max_retry_after"}


class EndOfChild(BaseException):
    """Ends a forked process normally, so that finalizers run."""


class UnsupportedError(Exception):
    """An unknown action or operation."""


def main(lines: TextIO, out: TextIO) -> None:
    """Responds to each input line."""
    for line in lines:
        asked = json.loads(line)
        try:
            reply = {"result": result_of(asked)}
        except UnsupportedError as what:
            reply = {"unsupported": str(what)}
        print(json.dumps({"id": asked["id"], **reply}), file=out, flush=True)


def result_of(asked: dict[str, Any]) -> Any:
    """The result for one input line."""
    action = ACTIONS.get(asked["action"])
    if action is None:
        raise UnsupportedError(asked["action"])
    args = asked.get("args", {})
    if asked["action"] in CLIENTLESS:
        return action(args)
    options = {OPTIONS.get(name, name): value for name, value in asked["client"].items()}
    seen: list[dict[str, Any]] = []
    hooks = options.pop("hooks", None)
    more: dict[str, Any] = {} if hooks is None else {"hooks": seen}
    if hooks is not None:
        options |= {f"on_{hook}": noting(hook, hooks, seen) for hook in ("request", "response")}
    try:
        with BeatMarket(**options) as client:
            return action(client, args) | more
    except UnsupportedError:
        raise
    except Exception as error:
        return {"error": error_form(error), **more}


def noting(hook: str, hooks: str, seen: list[dict[str, Any]]) -> Callable[[RequestInfo], None]:
    """A hook that records its arguments, or fails."""

    def note(info: RequestInfo) -> None:
        if hooks == f"{hook} fails":
            raise RuntimeError("the hook fails")
        facts = vars(info)
        error = {"error": facts["error"] and type(facts["error"]).__name__} if "error" in facts else {}
        seen.append({"hook": hook, **facts, **error})

    return note


def call(client: BeatMarket, args: dict[str, Any]) -> dict[str, Any]:
    """Calls a typed method."""
    options = {OPTIONS.get(name, name): value for name, value in args.get("options", {}).items()}
    client = client.with_options(**options) if options else client
    result = method(client, args["operation"])(**named(args.get("arguments", {})))
    if result is None:
        return {"value": None, "meta": None}
    value = value_form(result)
    made = {"value": value, "meta": meta_form(result.response)}
    if "read" in args:
        made["read"] = {path: typed_read(result, path) for path in args["read"]}
    return made


def request(client: BeatMarket, args: dict[str, Any]) -> dict[str, Any]:
    """Sends a raw request."""
    given = {name: args[name] for name in ("query", "headers", "body") if name in args}
    response = client.request(args["method"], args["path"], **given)
    return {"value": response.body, "meta": meta_form(response)}


def iterate(client: BeatMarket, args: dict[str, Any]) -> dict[str, Any]:
    """Iterates over a list."""
    arguments = named(args.get("arguments", {}))
    if "max_items" in args:
        arguments["max_items"] = args["max_items"]
    ids: list[Any] = []
    errors: list[Any] = []
    try:
        items = iter(method(client, args["operation"])(**arguments))
    except Exception as error:
        return {"items": ids, "errors": [error_form(error)]}
    while len(errors) < (3 if args.get("resume") else 1):
        try:
            for item in items:
                ids.append(id_of(item))
            break
        except Exception as error:
            errors.append(error_form(error))
    return {"items": ids, "errors": errors}


def parallel(client: BeatMarket, args: dict[str, Any]) -> dict[str, Any]:
    """Calls from threads that share one client."""
    called = method(client, args["operation"])

    called_id(called, args["calls"][0][0])
    with ThreadPoolExecutor(len(args["calls"])) as pool:
        return {"values": list(pool.map(lambda calls: [called_id(called, each) for each in calls], args["calls"]))}


def fork(client: BeatMarket, args: dict[str, Any]) -> dict[str, Any]:
    """Calls from processes that inherit the client."""
    called = method(client, args["operation"])
    called_id(called, args["arguments"][0])
    pipes: list[int] = []
    children: list[int] = []
    for arguments in args["arguments"]:
        reading, writing = os.pipe()
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            ids = [called_id(called, arguments) for _ in range(args["calls"])]
            os.write(writing, json.dumps(ids).encode())
            os.close(writing)
            raise EndOfChild
        os.close(writing)
        pipes.append(reading)
        children.append(child)
    values: list[Any] = []
    for reading in pipes:
        with open(reading, "rb") as pipe:
            values.append(json.loads(pipe.read()))
    for child in children:
        os.waitpid(child, 0)
    return {"values": values, "parent": called_id(called, args["arguments"][0])}


def pages(client: BeatMarket, args: dict[str, Any]) -> dict[str, Any]:
    """Goes from page to page."""
    found: list[list[Any]] = []
    try:
        page = method(client, args["operation"])(**named(args.get("arguments", {}))).first_page
        while page is not None:
            found.append([id_of(item) for item in page])
            if len(found) == args["pages"]:
                return {"pages": found, "has_next": True}
            page = page.next_page()
    except Exception as error:
        return {"pages": found, "has_next": True, "error": error_form(error)}
    return {"pages": found, "has_next": False}


def follow(client: BeatMarket, args: dict[str, Any]) -> dict[str, Any]:
    """Follows a feed for some pages."""
    feed: Any = {"listChanges": client.changes, "listEvents": client.events}[args["operation"]]
    found: list[dict[str, Any]] = []
    try:
        for page in feed.follow(**named(args.get("arguments", {}))):
            if isinstance(page, ChangePage):
                found.append({"positions": [change.position for change in page.changes], "next": page.next})
            else:
                found.append({"ids": [event.id for event in page.events], "next": page.next})
            if len(found) == args["pages"]:
                break
    except Exception as error:
        return {"pages": found, "errors": [error_form(error)]}
    return {"pages": found, "errors": []}


def stream_events(client: BeatMarket, args: dict[str, Any]) -> dict[str, Any]:
    """Loops over a stream of events for some of them."""
    ids: list[Any] = []
    errors: list[Any] = []
    with client.events.stream(**named(args.get("arguments", {}))) as events:
        try:
            for event in events:
                ids.append(event.id)
                if len(ids) == args["events"]:
                    break
        except Exception as error:
            errors.append(error_form(error))
        return {"ids": ids, "position": events.position, "errors": errors}


def stream_export(client: BeatMarket, _args: dict[str, Any]) -> dict[str, Any]:
    """Iterates over an export without a file."""
    beats = client.exports.beats()
    ids: list[Any] = []
    try:
        for beat in beats:
            ids.append(beat.id)
    except Exception as error:
        return {"ids": ids, "position": beats.position, "error": error_form(error)}
    return {"ids": ids, "position": beats.position}


def called_id(called: Any, arguments: dict[str, Any]) -> Any:
    """The id of a call's result, or the error."""
    try:
        return id_of(called(**arguments))
    except Exception as error:
        return {"error": error_form(error)}


def id_of(item: Any) -> Any:
    """The id of an item, or the item itself if it is not an object."""
    return getattr(item, "id") if isinstance(item, Model) else item  # noqa: B009


def upload(client: BeatMarket, args: dict[str, Any]) -> dict[str, Any]:
    """Uploads a file, or the rest of it."""
    seen: list[dict[str, Any]] = []

    def progress(reached: UploadProgress) -> None:
        seen.append(vars(reached))

    more: dict[str, Any] = {"progress": progress}
    if "part_bytes" in args:
        more["part_bytes"] = args["part_bytes"]
    try:
        if "upload_id" in args:
            made = client.uploads.resume(args["upload_id"], args["path"], **more)
        else:
            made = client.uploads.upload(args["path"], kind=args["kind"], **more)
    except Exception as error:
        return {"error": error_form(error), "progress": seen}
    return {"value": made.to_dict(), "progress": seen}


def download(client: BeatMarket, args: dict[str, Any]) -> dict[str, Any]:
    """Downloads a file of an order."""
    seen: list[dict[str, Any]] = []
    try:
        made = client.orders.download(
            args["order_id"], args["kind"], args["path"], progress=lambda reached: seen.append(vars(reached))
        )
    except Exception as error:
        return {"error": error_form(error), "progress": seen}
    return {"value": vars(made), "progress": seen}


def download_all(client: BeatMarket, args: dict[str, Any]) -> dict[str, Any]:
    """Downloads all files of an order."""
    seen: list[dict[str, Any]] = []
    try:
        made = client.orders.download_all(
            args["order_id"], args["folder"], progress=lambda reached: seen.append(vars(reached))
        )
    except Exception as error:
        return {"error": error_form(error), "progress": seen}
    return {"value": [vars(each) for each in made], "progress": seen}


def wait(client: BeatMarket, args: dict[str, Any]) -> dict[str, Any]:
    """Waits until an upload is ready."""
    more = {"timeout": args["timeout_seconds"]} if "timeout_seconds" in args else {}
    return {"value": client.uploads.wait(args["upload_id"], **more).to_dict()}


def secrets(client: BeatMarket, args: dict[str, Any]) -> dict[str, Any]:
    """Everything printed that could contain a key or secret."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    logging.root.addHandler(handler)
    logging.root.setLevel(logging.DEBUG)
    results: list[Any] = []
    errors: list[str] = []
    try:
        for made in args["calls"]:
            try:
                result = method(client, made["operation"])(**made.get("arguments", {}))
                value_form(result)
                results.append(result)
            except Exception:
                errors.append(traceback.format_exc())
        try:
            webhooks.verify(b"{}", "0", args["secret"])
        except SignatureVerificationError:
            errors.append(traceback.format_exc())
    finally:
        logging.root.removeHandler(handler)
        logging.root.setLevel(logging.WARNING)
    resources = [name for name, part in vars(type(client)).items() if isinstance(part, cached_property)]
    parts = [client, *(getattr(client, name) for name in resources), *vars(client).values(), *results]
    inspected = [pprint.pformat(part) for part in parts]
    inspected += [repr(vars(part)) for part in parts if hasattr(part, "__dict__")]
    inspected += [json.dumps(part, default=repr) for part in parts]
    return {"log": written.getvalue(), "inspected": inspected, "errors": errors}


def verify(args: dict[str, Any]) -> dict[str, Any]:
    """`webhooks.verify`."""
    try:
        webhooks.verify(base64.b64decode(args["body_base64"]), args["header"], args["secrets"])
    except SignatureVerificationError:
        return {"verdict": "invalid"}
    except BeatMarketError:
        return {"verdict": "config_error"}
    return {"verdict": "valid"}


def unwrap(args: dict[str, Any]) -> dict[str, Any]:
    """`webhooks.unwrap`."""
    try:
        tolerance = {"tolerance": args["tolerance_seconds"]} if "tolerance_seconds" in args else {}
        body = base64.b64decode(args["body_base64"])
        event = webhooks.unwrap(body, args["headers"], args["secrets"], **tolerance)
    except Exception as error:
        return {"error": error_form(error)}
    return {"value": event.to_dict()}


def describe(args: dict[str, Any]) -> dict[str, Any]:
    """Describes the client by its operation table and signatures."""
    operations: dict[str, Any] = {}
    client = BeatMarket("bm_key")
    for operation in OPERATIONS:
        resource, _, name = operation.call.rpartition(".")
        kind = type(getattr(client, resource)) if resource else BeatMarket
        names = [
            given.removesuffix("_") for given in inspect.signature(getattr(kind, name)).parameters if given != "self"
        ]
        operations[operation.id] = {
            "method": operation.method,
            "path": operation.path,
            "parameters": [given for given in names if given not in operation.body and given != "max_items"],
            "body": [given for given in names if given in operation.body],
        }
    return {
        "language": "python",
        "version": beatmarket.__version__,
        "operations": operations,
        "models": {name: leaves(getattr(beatmarket, name)) for name in args["models"] if hasattr(beatmarket, name)},
        "events": {name: typing.get_type_hints(event)["data"].__name__ for name, event in EVENTS.items()},
        "errors": {code: error.__name__ for code, error in ERRORS.items()},
    }


def leaves(model: type[Model]) -> list[str]:
    """Dotted paths of the fields."""
    paths: list[str] = []
    for name, hint in typing.get_type_hints(model).items():
        inner = next(iter(typing.get_args(hint)), hint)
        if name.startswith("_"):
            continue
        if isinstance(inner, type) and issubclass(inner, Model):
            paths += [f"{name}.{leaf}" for leaf in leaves(inner)]
        else:
            paths.append(name)
    return paths


def named(arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments by the client's names: a keyword of Python gets an underscore."""
    return {f"{name}_" if keyword.iskeyword(name) else name: value for name, value in arguments.items()}


def method(client: BeatMarket, operation: str) -> Any:
    """The client method of an operation."""
    if operation not in CALLS:
        raise UnsupportedError(operation)
    found: Any = client
    for name in CALLS[operation].split("."):
        found = getattr(found, name)
    return found


CLIENTLESS = {"verify", "unwrap", "describe"}
ACTIONS: dict[str, Any] = {
    "call": call,
    "request": request,
    "iterate": iterate,
    "upload": upload,
    "download": download,
    "download_all": download_all,
    "wait": wait,
    "parallel": parallel,
    "fork": fork,
    "pages": pages,
    "follow": follow,
    "stream_events": stream_events,
    "stream_export": stream_export,
    "secrets": secrets,
    "verify": verify,
    "unwrap": unwrap,
    "describe": describe,
}

if __name__ == "__main__":
    try:
        main(sys.stdin, sys.stdout)
    except EndOfChild:
        sys.exit()
