<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** States of an order: pending changes to completed or failed, which are final. The API may add values. */
final class OrderStatus
{
    public const COMPLETED = 'completed';
    public const PENDING = 'pending';
    public const FAILED = 'failed';
}
