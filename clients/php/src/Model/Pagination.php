<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** The position of a page in its list. */
final class Pagination extends Model
{
    /** Number of items on all pages. */
    public readonly int $total;

    public readonly int $perPage;

    /** From 1. */
    public readonly int $currentPage;

    /** At least 1. */
    public readonly int $lastPage;

    /** Null on the last page. */
    public readonly ?string $nextPageUrl;

    /** Null on the first page. */
    public readonly ?string $prevPageUrl;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->total = $fields->integer('total');
        $this->perPage = $fields->integer('per_page');
        $this->currentPage = $fields->integer('current_page');
        $this->lastPage = $fields->integer('last_page');
        $this->nextPageUrl = $fields->stringOrNull('next_page_url');
        $this->prevPageUrl = $fields->stringOrNull('prev_page_url');
    }
}
