<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** A beat with its description, tags and licenses. */
final class BeatDetail extends Beat
{
    public readonly string $description;

    /** @var list<string> */
    public readonly array $tags;

    /** @var list<License> */
    public readonly array $licenses;

    /** ISO 8601, UTC, whole seconds. */
    public readonly string $updatedAt;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->description = $fields->string('description');
        $this->tags = $fields->strings('tags');
        $this->licenses = $fields->models('licenses', License::class);
        $this->updatedAt = $fields->string('updated_at');
    }
}
