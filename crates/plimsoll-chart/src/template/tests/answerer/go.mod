module plimsoll.test/templates

go 1.26
