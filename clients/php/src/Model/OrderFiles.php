<?php

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Response;

/** What an order brings. */
final class OrderFiles extends Model
{
    /** @var list<OrderFile> in the order mp3, wav, stems, license; none once the order is refunded in full */
    public readonly array $files;

    public readonly OrderLicense $license;

    /** @internal use fromArray() */
    public function __construct(Fields $fields, ?Response $response = null)
    {
        parent::__construct($fields, $response);
        $this->files = $fields->models('files', OrderFile::class);
        $this->license = new OrderLicense($fields->object('license'));
    }
}
