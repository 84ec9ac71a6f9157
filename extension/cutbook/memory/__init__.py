"""What a project remembers: the log, what is served from it, and the open session.

``log`` reads and appends to project.md (``markdown``, ``marks``, ``text`` and ``front`` are its grammar), ``served``
folds it, ``anchors`` ties a decision to footage, words and cut. ``session`` notes what happens, ``changes`` and ``net``
what it did to each range, ``draft`` makes a section (``ground`` finds the decisions that it ends, ``wording`` has the
sentences). ``standing`` is all of that at one moment: ``compare`` holds the anchors against the project (``content``
finds files, ``kept`` the ranges, whatever is wrong with them), ``causes`` groups what needs review, ``renew`` takes new
anchors. ``life`` is what may be done to an entry, ``tried`` knows texts that say nearly the same, ``tidy`` and
``doctor`` say what is out of order. ``brief`` resumes, ``shown`` and ``page`` show, ``verbs`` is the face.

``recall`` reaches beyond the project: ``preferences`` and ``library`` are the user's too, ``context`` is what an agent
starts from (``material`` sorts, ``ranking`` weighs), ``search`` finds (``index``, ``quick``, ``registry``), ``archive``
exports, ``imports`` keeps what came from others.
"""
