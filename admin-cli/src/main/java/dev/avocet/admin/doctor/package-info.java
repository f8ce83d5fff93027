/**
 * What is wrong with a broker, its files and its machine, and what to do about it.
 *
 * <p>Owner thread: main. Start reading at {@link dev.avocet.admin.doctor.DoctorCommand}.
 */
@NullMarked
package dev.avocet.admin.doctor;

import org.jspecify.annotations.NullMarked;
