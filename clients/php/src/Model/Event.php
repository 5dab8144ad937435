<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;
use BeatMarket\Value\EventType;

/** A webhook event. It can be delivered more than once, with the same id. */
final class Event extends Model
{
    /** The model of each type's data. The data of an unknown type is a Model itself. */
    public const MODELS = [
        EventType::BEAT_CREATED => Beat::class,
        EventType::BEAT_UPDATED => BeatUpdated::class,
        EventType::BEAT_PURCHASED => Purchase::class,
        EventType::USER_REGISTERED => User::class,
        EventType::USER_UPDATED => UserUpdated::class,
    ];

    public readonly string $id;

    /** The time of the event in Unix seconds. */
    public readonly int $created;

    /** One of Value\EventType; the API may add values. */
    public readonly string $type;

    public readonly Model $data;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->id = $fields->string('id');
        $this->created = $fields->integer('created');
        $this->type = $fields->string('type');
        $model = self::MODELS[$this->type] ?? Model::class;
        $this->data = new $model($fields->object('data'));
    }
}
