/**
 * Named workloads: small YAML files that say who sends what to whom, and where the workload comes from. They name no
 * protocol's settings; each tool reads of them what it can do, and takes the files of its own resources.
 *
 * <p>May depend on: Jackson. Start reading at {@link dev.avocet.bench.workload.Workload}.
 */
@NullMarked
package dev.avocet.bench.workload;

import org.jspecify.annotations.NullMarked;
