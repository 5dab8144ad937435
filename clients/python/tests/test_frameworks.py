"""Webhook receivers in frameworks. Each framework has its own way to get the raw body and the headers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import django
import flask
import httpx2
import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from fastapi import FastAPI, Request, Response

from beatmarket import SignatureVerificationError, webhooks

from .conftest import SECRET, signed

BODY = '{"id":"evt_1","created":1,"type":"beat.purchased","data":{"title":"Café 🎵"}}'.encode()
Deliver = Callable[[bytes, dict[str, str]], tuple[int, Any]]


def fastapi_receiver() -> Deliver:
    app = FastAPI()

    async def receive(request: Request) -> Response:
        try:
            event = webhooks.unwrap(await request.body(), request.headers, SECRET)
        except SignatureVerificationError as error:
            return Response(str(error), 401)
        return Response(json.dumps([event.type, event.id]))

    app.add_api_route("/", receive, methods=["POST"], response_model=None)

    def deliver(body: bytes, headers: dict[str, str]) -> tuple[int, Any]:
        async def post() -> tuple[int, Any]:
            transport = httpx2.ASGITransport(app=app)
            async with httpx2.AsyncClient(transport=transport, base_url="http://receiver") as client:
                response = await client.post("/", content=body, headers=headers)
                return response.status_code, response.text

        return asyncio.run(post())

    return deliver


def django_receiver() -> Deliver:
    if not settings.configured:
        settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="x")
    django.setup()

    def receive(request: HttpRequest) -> HttpResponse:
        try:
            event = webhooks.unwrap(request.body, request.headers, SECRET)
        except SignatureVerificationError as error:
            return HttpResponse(str(error), status=401)
        return HttpResponse(json.dumps([event.type, event.id]))

    def deliver(body: bytes, headers: dict[str, str]) -> tuple[int, Any]:
        request = RequestFactory().post("/", body, content_type="application/json", headers=headers)
        response = receive(request)
        return response.status_code, response.content.decode()

    return deliver


def flask_receiver() -> Deliver:
    app = flask.Flask(__name__)

    def receive() -> tuple[str, int]:
        try:
            event = webhooks.unwrap(flask.request.get_data(), flask.request.headers, SECRET)
        except SignatureVerificationError as error:
            return str(error), 401
        return json.dumps([event.type, event.id]), 200

    app.add_url_rule("/", view_func=receive, methods=["POST"])

    def deliver(body: bytes, headers: dict[str, str]) -> tuple[int, Any]:
        response = app.test_client().post("/", data=body, headers=headers)
        return response.status_code, response.text

    return deliver


@pytest.mark.parametrize("receiver", [fastapi_receiver, django_receiver, flask_receiver])
def test_a_receiver_takes_a_delivery_and_refuses_forgeries_and_replays(receiver: Callable[[], Deliver]) -> None:
    deliver = receiver()
    status, text = deliver(BODY, signed(BODY))
    assert (status, json.loads(text)) == (200, ["beat.purchased", "evt_1"])
    for body, headers, reason in (
        (BODY + b" ", signed(BODY), "does not match"),
        (BODY, signed(BODY, age_s=400), "webhook-timestamp is 40"),
        (BODY, {}, "no header webhook-id"),
    ):
        status, text = deliver(body, headers)
        assert status == 401
        assert reason in text
