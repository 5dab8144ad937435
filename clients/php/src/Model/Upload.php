<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** An uploaded file of your account, or one whose bytes are still arriving. */
final class Upload extends Model
{
    /** Such as "upl_0000000000000000000001". */
    public readonly string $id;

    /** One of Value\UploadKind. */
    public readonly string $kind;

    public readonly string $filename;

    /** Of the whole file. */
    public readonly int $bytes;

    /** Of these bytes so many have arrived. */
    public readonly int $received;

    /** Of the file as it was sent, in hex; null until it is stored. */
    public readonly ?string $sha256;

    /** One of Value\UploadStatus; the API may add values. ready and rejected are final. */
    public readonly string $status;

    /** A sentence; null unless rejected. */
    public readonly ?string $rejection;

    /** Of audio that is ready; null otherwise. */
    public readonly ?Analysis $analysis;

    /** ISO 8601, UTC, whole seconds. */
    public readonly string $createdAt;

    /** When it is deleted unless a beat uses it by then, ISO 8601, UTC; null when one does. */
    public readonly ?string $expiresAt;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->id = $fields->string('id');
        $this->kind = $fields->string('kind');
        $this->filename = $fields->string('filename');
        $this->bytes = $fields->integer('bytes');
        $this->received = $fields->integer('received');
        $this->sha256 = $fields->stringOrNull('sha256');
        $this->status = $fields->string('status');
        $this->rejection = $fields->stringOrNull('rejection');
        $analysis = $fields->objectOrNull('analysis');
        $this->analysis = $analysis === null ? null : new Analysis($analysis);
        $this->createdAt = $fields->string('created_at');
        $this->expiresAt = $fields->stringOrNull('expires_at');
    }
}
