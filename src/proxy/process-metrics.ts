/** What the process itself holds, read when it is asked for. Names are those of Prometheus' client libraries. */
import type { Registry } from './exposition.ts';

export function countProcess({ gauge }: Registry): void {
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage().rss);
  gauge('nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed);
  gauge('nodejs_active_resources', 'What keeps the process alive: sockets, timers, files.', () => {
    return process.getActiveResourcesInfo().length;
  });
  gauge('process_cpu_seconds', 'User and system time so far.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
}
