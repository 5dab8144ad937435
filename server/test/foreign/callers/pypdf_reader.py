"""Prints the text of a PDF: python3 pypdf_reader.py FILE."""

import sys

from pypdf import PdfReader

sys.stdout.reconfigure(encoding="utf-8")
print("\n".join(page.extract_text() for page in PdfReader(sys.argv[1]).pages))
