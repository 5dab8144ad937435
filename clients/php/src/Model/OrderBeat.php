<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** The beat of an order at the time of the purchase. */
final class OrderBeat extends Model
{
    public readonly int $id;
    public readonly string $title;
    public readonly int $producerId;
    public readonly string $producerName;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->id = $fields->integer('id');
        $this->title = $fields->string('title');
        $this->producerId = $fields->integer('producer_id');
        $this->producerName = $fields->string('producer_name');
    }
}
