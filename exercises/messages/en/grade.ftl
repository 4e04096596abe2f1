### Grading a class.

share-unreadable = `{ $text }` is not a share; the third of eight is 3/8
grade-no-exercise = none of the requested exercises has a name that contains `{ $part }`
grade-no-students = { $folder } contains no folder of a student
grade-own-folder = { $folder } is one student's folder. Name the folder that contains it: `grade` takes each folder in it for a student
grade-unknown-student = { $folder } has no folder `{ $name }`
grade-host-not-buildable = note: programs of the host cannot be built here: { $why }
grade-cannot-shut-in = the sandbox does not work on this machine (its message is above); `--no-sandbox` grades without it
grade-cannot-judge = { $name } cannot be judged: { $why }
grade-linked = note: { $name } is a link and is not graded
grade-loose = note: { $name } { $more ->
    [0] is in no student's folder and is not graded
    [one] and one more file are in no student's folder and are not graded
   *[other] and { $more } more files are in no student's folder and are not graded
}
grade-twice = note: { $student } handed in both { $graded } and { $left }, and they differ. The first is graded
grade-begins = grading: { $students ->
    [one] { $students } student
   *[other] { $students } students
}, { $exercises ->
    [one] { $exercises } exercise
   *[other] { $exercises } exercises
}
grade-progress = graded: { $ready } of { $of } students
grade-points = { $student }: { $points } of { $of } points
grade-refused = { $student }: refused in { $exercise }: { $what }
grade-points-of-all = all { $students ->
    [one] { $students } student
   *[other] { $students } students
}: { $points } of { $of } points
grade-no-room = there is no room on the disk for the report
grade-no-output = stdout cannot be written, and the report goes there
grade-output-lost = stdout is closed or leads nowhere, so nobody will see the report
grade-missing = nothing was handed in for { $name }
grade-near = There is { $found }. It must be called { $wanted }, in the folder of its topic or in the student's own
grade-not-own = { $kind ->
    [link] { $name } is a symbolic link. Links are not graded: they may lead to another student's work
    [behind-link] { $name } is in a folder that is a symbolic link. Links are not graded
    [folder] { $name } is a folder, not a file
   *[other] { $name } is not a plain file
}
grade-too-long = { $name } has { $bytes } bytes, { $most } are allowed
grade-not-kept = note: a verdict is not kept: { $why }
worker-ended = a worker ended early
merge-no-report = { $file } is not a report in JSON; was its run stopped early?
merge-twice = { $student }'s { $exercise } is in both { $first } and { $second }
points-twice = { $path } names { $name } twice
points-of = { $points } of { $of } points
