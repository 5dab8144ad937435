<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** States of an order: pending becomes completed or failed, and both are final. The service may know more one day: compare, do not enumerate. */
final class OrderStatus
{
    public const COMPLETED = 'completed';
    public const PENDING = 'pending';
    public const FAILED = 'failed';
}
