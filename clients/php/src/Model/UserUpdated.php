<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** The data of a user.updated event: the profile as it is now. */
final class UserUpdated extends User
{
    /** @var list<string> Wire names of the fields that changed. */
    public readonly array $changed;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->changed = $fields->strings('changed');
    }
}
