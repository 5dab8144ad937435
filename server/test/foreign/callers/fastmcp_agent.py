"""An agent built with FastMCP. It finds a beat, quotes a license, gets a page to pay on, and meets two refusals.

Usage: fastmcp_agent.py ORIGIN CA_FILE, with the API key in BEATMARKET_API_KEY. Prints one JSON object.
"""

import asyncio
import json
import os
import sys

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

origin, ca_file = sys.argv[1:]


async def main():
    headers = {"Authorization": f"Bearer {os.environ['BEATMARKET_API_KEY']}"}
    transport = StreamableHttpTransport(f"{origin}/mcp", headers=headers, verify=ca_file)
    async with Client(transport) as client:

        async def call(name, **arguments):
            result = await client.call_tool(name, arguments)
            return json.loads(result.content[0].text)

        async def refusal(name, **arguments):
            try:
                return await call(name, **arguments)
            except Exception as error:
                return f"{type(error).__name__}: {error}"

        tools = await client.list_tools()
        found = await call("find_beats", query="140 bpm trap")
        quote = (await call("quote", beat_id=found["beats"][0]["id"]))["quote"]
        print(
            json.dumps(
                {
                    "tools": [tool.name for tool in tools],
                    "page": await call("buy", quote=quote),
                    "docs": await call("docs", question="how do I verify a webhook signature?"),
                    "refused": await refusal("get_beat", beat_id=999_999_999),
                    "unknown": await refusal("sell"),
                }
            )
        )


asyncio.run(main())
