<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The position of a page in its list.
 *
 * @property-read int         $total
 * @property-read int         $perPage
 * @property-read int         $currentPage
 * @property-read int         $lastPage
 * @property-read string|null $nextPageUrl The address of the next page. Null on the last page.
 * @property-read string|null $prevPageUrl
 */
final class Pagination extends Model
{
    public const FIELDS = [
        'total' => ['total'],
        'perPage' => ['per_page'],
        'currentPage' => ['current_page'],
        'lastPage' => ['last_page'],
        'nextPageUrl' => ['next_page_url'],
        'prevPageUrl' => ['prev_page_url'],
    ];
}
