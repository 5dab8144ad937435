<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** What a buyer has to do before an order can be completed. */
final class NextAction extends Model
{
    /** redirect; the API may add values. */
    public readonly string $type;

    /** The page on which the buyer finishes the payment: open it in the buyer's browser. */
    public readonly string $url;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->type = $fields->string('type');
        $this->url = $fields->string('url');
    }
}
