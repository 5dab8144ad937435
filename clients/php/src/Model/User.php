<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** The public profile of a user. */
class User extends Model
{
    public readonly int $id;
    public readonly string $username;
    public readonly string $displayName;
    public readonly ?string $bio;
    public readonly ?string $location;

    /** A URL. */
    public readonly ?string $website;

    public readonly ?string $avatarUrl;
    public readonly bool $isProducer;

    /** Beats on sale. */
    public readonly int $beatsCount;

    /** ISO 8601, UTC, whole seconds. */
    public readonly string $createdAt;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->id = $fields->integer('id');
        $this->username = $fields->string('username');
        $this->displayName = $fields->string('display_name');
        $this->bio = $fields->stringOrNull('bio');
        $this->location = $fields->stringOrNull('location');
        $this->website = $fields->stringOrNull('website');
        $this->avatarUrl = $fields->stringOrNull('avatar_url');
        $this->isProducer = $fields->boolean('is_producer');
        $this->beatsCount = $fields->integer('beats_count');
        $this->createdAt = $fields->string('created_at');
    }
}
