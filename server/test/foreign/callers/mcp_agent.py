"""An agent built with the Python SDK of the Model Context Protocol. It finds a beat, quotes a license, and buys it after a person agreed.

Usage: mcp_agent.py ORIGIN CA_FILE MODE, with the API key in BEATMARKET_API_KEY. MODE is "auto" (the newest revision that both know) or
"legacy" (the handshake of 2025). Prints one JSON object.
"""

import asyncio
import json
import os
import ssl
import sys

import httpx2
from mcp import Client, types
from mcp.client.streamable_http import streamable_http_client

origin, ca_file, mode = sys.argv[1:]
asked = []


async def person(context, params):
    asked.append(params.message)
    return types.ElicitResult(action="accept", content={"confirm": True})


def value_of(result):
    text = result.content[0].text
    return {"refusal": text} if result.is_error else json.loads(text)


async def main():
    headers = {"Authorization": f"Bearer {os.environ['BEATMARKET_API_KEY']}"}
    context = ssl.create_default_context(cafile=ca_file)
    async with httpx2.AsyncClient(verify=context, headers=headers, timeout=30) as http:
        transport = streamable_http_client(f"{origin}/mcp", http_client=http)
        async with Client(transport, mode=mode, elicitation_callback=person) as client:
            tools = (await client.list_tools()).tools
            found = value_of(await client.call_tool("find_beats", {"query": "140 bpm trap"}))
            beat_id = found["beats"][0]["id"]
            quote = value_of(await client.call_tool("quote", {"beat_id": beat_id}))["quote"]
            page = value_of(await client.call_tool("buy", {"quote": quote}))
            quote = value_of(await client.call_tool("quote", {"beat_id": beat_id}))["quote"]
            bought = value_of(await client.call_tool("buy", {"quote": quote, "payment_method": "pm_card_visa"}))
            docs = value_of(await client.call_tool("docs", {"question": "how do I verify a webhook signature?"}))
            print(
                json.dumps(
                    {
                        "revision": client.protocol_version,
                        "tools": [tool.name for tool in tools],
                        "page": page,
                        "requests": asked,
                        "bought": bought,
                        "docs": docs,
                    }
                )
            )


asyncio.run(main())
