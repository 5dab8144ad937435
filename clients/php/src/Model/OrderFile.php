<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** A file of an order, as it was when the beat was bought. */
final class OrderFile extends Model
{
    /** One of Value\FileKind; the API may add values. */
    public readonly string $kind;

    /** What a browser saves it as. */
    public readonly string $filename;

    public readonly int $bytes;

    /** Of the file's bytes, in hex. */
    public readonly string $sha256;

    /** Signed: downloads the file without a key until it expires, so keep it secret. */
    public readonly string $url;

    /** ISO 8601, UTC, whole seconds: 15 minutes ahead. */
    public readonly string $expiresAt;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->kind = $fields->string('kind');
        $this->filename = $fields->string('filename');
        $this->bytes = $fields->integer('bytes');
        $this->sha256 = $fields->string('sha256');
        $this->url = $fields->string('url');
        $this->expiresAt = $fields->string('expires_at');
    }
}
