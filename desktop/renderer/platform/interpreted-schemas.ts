import { z } from 'zod';

// Must run before the first schema is made: zod would try to compile it, which the content security policy forbids and
// reports.
z.config({ jitless: true });
