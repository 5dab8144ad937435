"""Lists beats with a client that openapi-generator generated (-g python)."""

import json
import os

import openapi_client

configuration = openapi_client.Configuration(
    host=os.environ["ORIGIN"] + "/v1",
    access_token=os.environ["API_KEY"],
    ssl_ca_cert=os.environ["CA_FILE"],
)
with openapi_client.ApiClient(configuration) as client:
    page = openapi_client.BeatsApi(client).list_beats(limit=3, sort="popular")
print(json.dumps([{"id": beat.id, "title": beat.title, "price": beat.price} for beat in page.data.beats]))
