<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** The license of an order. */
final class OrderLicense extends Model
{
    /** A UUID. */
    public readonly string $id;

    /** Its public page, which says whether it is valid, and never who bought. */
    public readonly string $url;

    /** Its facts, signed (JWS, EdDSA) with a key of /.well-known/jwks.json. */
    public readonly string $jws;

    /** One of Value\LicenseType; the API may add values. */
    public readonly string $type;

    /** The version of the terms that it was sold under. */
    public readonly string $termsVersion;

    /** One of Value\LicenseStatus; the API may add values. */
    public readonly string $status;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->id = $fields->string('id');
        $this->url = $fields->string('url');
        $this->jws = $fields->string('jws');
        $this->type = $fields->string('type');
        $this->termsVersion = $fields->string('terms_version');
        $this->status = $fields->string('status');
    }
}
