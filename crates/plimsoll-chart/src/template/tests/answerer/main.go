// Answers templates as Go's text/template does: one JSON case a line in, one answer a line out.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"text/template"
)

type question struct {
	Template string `json:"template"`
	Data     any    `json:"data"`
}

type answer struct {
	Template string `json:"template"`
	Output   string `json:"output"`
	Error    string `json:"error,omitempty"`
}

// whole turns numbers without a fraction into int, as templates write them.
func whole(value any) any {
	switch value := value.(type) {
	case json.Number:
		if number, err := value.Int64(); err == nil {
			return int(number)
		}
		number, _ := value.Float64()
		return number
	case []any:
		for i := range value {
			value[i] = whole(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = whole(value[key])
		}
	}
	return value
}

// short is a text that refuses to become long, so that a template without end stops.
type short struct{ bytes.Buffer }

var errLong = errors.New("too long")

func (s *short) Write(text []byte) (int, error) {
	if s.Len()+len(text) > 1<<14 {
		return 0, errLong
	}
	return s.Buffer.Write(text)
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<26)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		var q question
		decoder := json.NewDecoder(strings.NewReader(in.Text()))
		decoder.UseNumber()
		if err := decoder.Decode(&q); err != nil {
			panic(err)
		}
		a := answer{Template: q.Template}
		t, err := template.New("t").Option("missingkey=zero").Parse(q.Template)
		if err == nil {
			var text short
			err = t.Execute(&text, whole(q.Data))
			if errors.Is(err, errLong) {
				continue
			}
			a.Output = text.String()
		}
		if err != nil {
			a.Error = err.Error()
			a.Output = ""
		}
		if err := encoder.Encode(a); err != nil {
			panic(err)
		}
	}
}
