"""Lets schemathesis send the bytes of an upload: it supports the media types of files, but not the one of tus."""

import schemathesis

schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
