<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** A change of a listed beat, at its place in the order of commits. */
final class Change extends Model
{
    /** Rises from change to change; numbers may be left out. */
    public readonly int $position;

    /** One of Value\ChangeType; the API may add values. */
    public readonly string $type;

    public readonly int $beatId;

    /** The beat as it is now, which may be newer than the change; null when it is withdrawn. */
    public readonly ?BeatDetail $beat;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->position = $fields->integer('position');
        $this->type = $fields->string('type');
        $this->beatId = $fields->integer('beat_id');
        $beat = $fields->objectOrNull('beat');
        $this->beat = $beat === null ? null : new BeatDetail($beat);
    }
}
