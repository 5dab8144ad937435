"""Has schemathesis send the bytes of an upload: it knows the media types of files, and tus has one of its own."""

import schemathesis

schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
