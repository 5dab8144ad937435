"""Lists beats with a client that openapi-python-client generated."""

import json
import os
import ssl

from beat_marketplace_api_client import AuthenticatedClient
from beat_marketplace_api_client.api.beats import list_beats
from beat_marketplace_api_client.models import ListBeatsResponse200, ListBeatsSort

client = AuthenticatedClient(
    base_url=os.environ["ORIGIN"] + "/v1",
    token=os.environ["API_KEY"],
    verify_ssl=ssl.create_default_context(cafile=os.environ["CA_FILE"]),
)
page = list_beats.sync(client=client, limit=3, sort=ListBeatsSort.POPULAR)
assert isinstance(page, ListBeatsResponse200), page
print(json.dumps([{"id": beat.id, "title": beat.title, "price": beat.price} for beat in page.data.beats]))
